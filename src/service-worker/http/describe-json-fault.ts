const SPACE = /[ \t\n\r]*/y;
const STRING = /"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*("?)/uy;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/**
 * Describes where a body stops being JSON in UTF-8, in words that continue "…, but". Browsers' own messages differ, and
 * Safari's names no place.
 * @param bytes A body that cannot be parsed.
 */
export function describeJsonFault(bytes: Uint8Array<ArrayBuffer>): string {
  if (bytes.length === 0) return 'it is empty';
  const length = utf8Length(bytes);
  if (length < bytes.length) return `byte ${length + 1} of it is not UTF-8`;
  const text = new TextDecoder().decode(bytes);
  const at = faultOf(text);
  const before = text.slice(0, at).split('\n');
  const place = `at line ${before.length}, column ${before.at(-1)!.length + 1}`;
  if (at >= text.length) return `it ends too soon, ${place}`;
  return `${JSON.stringify(String.fromCodePoint(text.codePointAt(at)!))} is unexpected ${place}`;
}

/** The number of bytes before the first one that is not UTF-8. */
function utf8Length(bytes: Uint8Array<ArrayBuffer>): number {
  let [low, high] = [0, bytes.length];
  const isUtf8 = (length: number, stream: boolean): boolean => {
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, length), { stream });
      return true;
    } catch {
      return false;
    }
  };
  if (isUtf8(high, false)) return high;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isUtf8(middle, true)) low = middle;
    else high = middle - 1;
  }
  // A character that is cut off counts from its first byte.
  while (low > 0 && !isUtf8(low, false)) low -= 1;
  return low;
}

/** The index of the first character that no JSON document has there; the length if the text ends too soon. */
function faultOf(text: string): number {
  let at = 0;
  const take = (form: RegExp): RegExpExecArray | null => {
    form.lastIndex = at;
    const found = form.exec(text);
    at += found?.[0].length ?? 0;
    return found;
  };
  /** The brackets that are open, without recursion: a body may have millions of them. */
  const open: string[] = [];
  let expected: 'value' | 'name' | 'colon' | 'next' = 'value';
  /** Whether a bracket was just opened, so that it may close at once. */
  let isFirst = false;
  for (;;) {
    take(SPACE);
    const character = text[at];
    const closes = (expected === 'next' || isFirst) && character === { '{': '}', '[': ']' }[open.at(-1) ?? ''];
    isFirst = false;
    if (character === undefined) return at;
    if (closes) {
      open.pop();
      expected = 'next';
      at += 1;
    } else if (expected === 'next') {
      if (character !== ',' || open.length === 0) return at;
      expected = open.at(-1) === '{' ? 'name' : 'value';
      at += 1;
    } else if (expected === 'colon') {
      if (character !== ':') return at;
      expected = 'value';
      at += 1;
    } else if (character === '"') {
      if (take(STRING)![1] === '') return at;
      expected = expected === 'name' ? 'colon' : 'next';
    } else if (expected === 'value' && (character === '{' || character === '[')) {
      open.push(character);
      expected = character === '{' ? 'name' : 'value';
      isFirst = true;
      at += 1;
    } else if (expected === 'name' || take(SCALAR) === null) return at;
    else expected = 'next';
  }
}
