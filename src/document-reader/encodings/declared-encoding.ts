/** Returns the encoding that an HTML page declares, if it exists. */
export function declaredEncoding(bytes: Uint8Array<ArrayBuffer>): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 4096));
  const label = /<meta\b[^>]{0,300}?charset\s*=\s*["']?([\w:-]{2,40})/i.exec(head)?.[1];
  try {
    return label === undefined ? undefined : new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}
