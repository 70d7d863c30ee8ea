/** Maximum bytes that are examined to find the encoding. */
const SAMPLE = 8192;

/** Maximum share of control characters in a text. */
const MOST_CONTROLS = 0.02;

/**
 * Decodes UTF-8, UTF-16 or, failing both, Windows-1252. The bytes may end within a character.
 * @returns Null if the bytes are not text.
 */
export function decodeText(bytes: Uint8Array<ArrayBuffer>): string | null {
  const encoding = encodingOf(bytes);
  if (encoding === null) return null;
  // `stream` drops an incomplete character at the end.
  const text = new TextDecoder(encoding).decode(bytes, { stream: true });
  const sample = text.slice(0, SAMPLE);
  const controls = sample.match(/(?!\s)[\p{Cc}\ufffd]/gu)?.length ?? 0;
  return controls > sample.length * MOST_CONTROLS ? null : text.replace(/\r\n?/g, '\n').replaceAll('\0', '');
}

function encodingOf(bytes: Uint8Array<ArrayBuffer>): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, SAMPLE);
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2]!++;
  const [even = 0, odd = 0] = zeros;
  // In UTF-16, Latin letters have a zero byte at every even or at every odd position. This recognises UTF-16 without a
  // byte order mark.
  if (even + odd > sample.length / 5) {
    if (even > 10 * odd) return 'utf-16be';
    if (odd > 10 * even) return 'utf-16le';
  }
  if (even + odd > sample.length * MOST_CONTROLS) return null;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}
