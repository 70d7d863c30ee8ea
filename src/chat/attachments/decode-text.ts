/** Bytes that are looked at to tell text from other things. */
const SAMPLE = 8192;

/** The largest share of control characters that a text has. */
const MOST_CONTROLS = 0.02;

/**
 * The text of a file in UTF-8, UTF-16 or, where it is neither, Windows-1252, whose letters of Western Europe are those of
 * Latin-1. The bytes may end within a character.
 * @returns Null where they are no text, whatever the file is called.
 */
export function decodeText(bytes: Uint8Array<ArrayBuffer>): string | null {
  const encoding = encodingOf(bytes);
  if (encoding === null) return null;
  // What is cut off at the end is left out, as it would be behind the end of a stream.
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
  // Without a mark at its beginning UTF-16 shows by the zeros of its Latin letters, which are all on one side.
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
