const SPACE = /[ \t\n\r]*/y;
/**
 * Characters of a string except escapes. Characters and escapes are not matched by one repeated group, which would
 * overflow the stack for a body of megabytes.
 */
const PLAIN = /[ !#-[\]-\uffff]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/**
 * Describes where a body stops being JSON in UTF-8, as the end of a sentence "…, but". The messages of browsers differ,
 * and Safari's does not name the place.
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

/** Returns the number of bytes before the first one that is not UTF-8. */
function utf8Length(bytes: Uint8Array<ArrayBuffer>): number {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  let start = 0;
  let length = 0;
  for (;;) {
    const mark = text.indexOf('\ufffd', start);
    if (mark < 0) return bytes.length;
    length += new TextEncoder().encode(text.slice(start, mark)).length;
    // The decoder replaces invalid bytes by U+FFFD, but the body may also contain that character itself.
    const isOwn = bytes[length] === 0xef && bytes[length + 1] === 0xbf && bytes[length + 2] === 0xbd;
    if (!isOwn) return length;
    length += 3;
    start = mark + 1;
  }
}

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

/**
 * Returns the index of the first character that is invalid in JSON at its place; the text's length if the text ends too
 * soon.
 */
function faultOf(text: string): number {
  let at = 0;
  const take = (form: RegExp): RegExpExecArray | null => {
    form.lastIndex = at;
    const found = form.exec(text);
    at += found?.[0].length ?? 0;
    return found;
  };
  /** The open brackets. A list instead of recursion, because a body may have millions of them. */
  const open: string[] = [];
  let expected: 'value' | 'name' | 'colon' | 'next' = 'value';
  /** Whether a bracket was just opened, so that it may be closed without a value. */
  let isFirst = false;
  for (;;) {
    if (text.charCodeAt(at) <= 0x20) take(SPACE);
    const character = text[at];
    const closes = (expected === 'next' || isFirst) && character === CLOSING[open.at(-1) ?? ''];
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
      at += 1;
      do take(PLAIN);
      while (take(ESCAPE) !== null);
      if (text[at] !== '"') return at;
      at += 1;
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
