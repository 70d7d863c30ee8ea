/** Returns the encoding of a label of the Encoding Standard, such as `latin1`; undefined if the browser knows no such label. */
export function knownEncoding(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}
