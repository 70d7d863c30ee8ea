/** First number of a bundle. Another version of this software that writes another form has another number. */
const FORMAT = 0x7ab50201;

/** Bytes before the header. */
const HEADER_START = 8;

interface Entry {
  readonly key: string;
  readonly bytes: number;
}

/** Encodes what is searched of several files, by keys, as one blob. */
export function encodeBundle(contents: ReadonlyMap<string, ArrayBuffer>): Blob {
  const entries = Array.from(contents, ([key, { byteLength }]) => ({ key, bytes: byteLength }) satisfies Entry);
  const header = new TextEncoder().encode(JSON.stringify(entries));
  return new Blob([Uint32Array.of(FORMAT, header.length), header, ...contents.values()]);
}

/** Decodes a blob of {@link encodeBundle}, in one read; empty if it is damaged or of another version of this software. */
export async function decodeBundle(blob: Blob): Promise<ReadonlyMap<string, ArrayBuffer>> {
  const buffer = await blob.arrayBuffer();
  const contents = new Map<string, ArrayBuffer>();
  if (buffer.byteLength < HEADER_START) return contents;
  const [format, length = 0] = new Uint32Array(buffer, 0, 2);
  if (format !== FORMAT || HEADER_START + length > buffer.byteLength) return contents;
  let at = HEADER_START + length;
  const entries = JSON.parse(
    new TextDecoder().decode(new Uint8Array(buffer, HEADER_START, length)),
  ) as readonly Entry[];
  if (entries.reduce((sum, { bytes }) => sum + bytes, at) !== buffer.byteLength) return contents;
  for (const { key, bytes } of entries) contents.set(key, buffer.slice(at, (at += bytes)));
  return contents;
}
