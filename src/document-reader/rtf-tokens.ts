/** A piece of an RTF file. */
export type RtfToken =
  | { readonly kind: 'open' | 'close' }
  /** A control word with its number, such as `u8217`, or a control symbol such as `~`. */
  | { readonly kind: 'word'; readonly word: string; readonly value: number | undefined }
  /** One byte in the encoding of the current font. */
  | { readonly kind: 'byte'; readonly byte: number }
  | { readonly kind: 'text'; readonly text: string };

const TOKEN = /([{}])|\\'([0-9a-f]{2})|\\([a-z]{1,32})(-?\d{1,10})?[ ]?|\\([^a-z])|([^\\{}\r\n]+)|[\r\n]+|\\/giy;

/** Yields the pieces of an RTF file. Faulty pieces are passed over. */
export function* rtfTokens(source: string): Generator<RtfToken> {
  TOKEN.lastIndex = 0;
  const pattern = new RegExp(TOKEN);
  for (let match = pattern.exec(source); match !== null; match = pattern.exec(source)) {
    const [, brace, hex, word, value, symbol, text] = match;
    if (brace !== undefined) yield { kind: brace === '{' ? 'open' : 'close' };
    else if (hex !== undefined) yield { kind: 'byte', byte: Number.parseInt(hex, 16) };
    else if (word !== undefined) {
      yield { kind: 'word', word, value: value === undefined ? undefined : Number(value) };
      // Binary data follow, in which braces mean nothing.
      if (word === 'bin') pattern.lastIndex += Math.max(0, Number(value ?? 0));
    } else if (symbol !== undefined) yield { kind: 'word', word: symbol, value: undefined };
    else if (text !== undefined) yield { kind: 'text', text };
    if (pattern.lastIndex >= source.length) return;
  }
}
