import type { IndexedFile } from './indexed-file.ts';

/** First number of the bytes. It changes when an older index cannot be searched any more, for example by other terms. */
const FORMAT = 0x7ab50001;

const HEADER_NUMBERS = 4;

/** Returns an index as bytes, in the byte order of this machine: 13 bytes a passage, 4 a term, 1 a number of a vector. */
export function encodeIndexedFile(file: IndexedFile): Uint8Array<ArrayBuffer> {
  const { count, dimensions, terms } = file;
  const header = Uint32Array.of(FORMAT, count, dimensions, terms.length);
  const parts = [header, file.fingerprints, file.termEnds, file.lengths, file.scales, terms, file.vectors];
  const bytes = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const { buffer, byteOffset, byteLength } of parts) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  return bytes;
}

/** Returns the index that bytes hold, without a copy; null if they are damaged or of another version of this software. */
export function decodeIndexedFile(buffer: ArrayBuffer): IndexedFile | null {
  if (buffer.byteLength < HEADER_NUMBERS * 4) return null;
  const [format, count, dimensions, termCount] = new Uint32Array(buffer, 0, HEADER_NUMBERS);
  if (format !== FORMAT) return null;
  const vectorCount = dimensions === 0 ? 0 : count!;
  let at = HEADER_NUMBERS * 4;
  const next = (bytes: number) => (at += bytes) - bytes;
  const offsets = {
    fingerprints: next(count! * 8),
    termEnds: next(count! * 4),
    lengths: next(count! * 4),
    scales: next(vectorCount * 4),
    terms: next(termCount! * 4),
    vectors: next(vectorCount * dimensions!),
  };
  if (at !== buffer.byteLength) return null;
  const termEnds = new Uint32Array(buffer, offsets.termEnds, count);
  if ((termEnds.at(-1) ?? 0) !== termCount || termEnds.some((end, index) => end < (termEnds[index - 1] ?? 0)))
    return null;
  return {
    count: count!,
    dimensions: dimensions!,
    fingerprints: new Float64Array(buffer, offsets.fingerprints, count),
    termEnds,
    lengths: new Uint32Array(buffer, offsets.lengths, count),
    scales: new Float32Array(buffer, offsets.scales, vectorCount),
    terms: new Uint32Array(buffer, offsets.terms, termCount),
    vectors: new Int8Array(buffer, offsets.vectors, vectorCount * dimensions!),
  };
}
