import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/** Bytes of one sample. */
export const SAMPLE_BYTES = 2 ** 16;

/** Number of samples: the first and the last bytes of a file, and others at equal distances between them. */
const SAMPLES = 16;

/**
 * Returns a hash by which files are told apart without reading all of their bytes: of their sizes, and of samples of
 * each file, at most 1 MiB. Two versions of a model differ in the samples, because training changes all weights. A file
 * that differs from another one in a few bytes only can have the same hash.
 * @returns 32 hexadecimal digits.
 */
export async function sampleHash(files: readonly Blob[]): Promise<string> {
  const hash = sha256.create();
  for (const file of files) {
    hash.update(new TextEncoder().encode(`${file.size};`));
    for (const start of sampleStarts(file.size, SAMPLES)) {
      hash.update(new Uint8Array(await file.slice(start, start + SAMPLE_BYTES).arrayBuffer()));
    }
  }
  return bytesToHex(hash.digest()).slice(0, 32);
}

/** Returns where samples begin, of which the last one is the end. @param most Limit of their number. */
export function sampleStarts(size: number, most: number): readonly number[] {
  const count = Math.min(most, Math.max(1, Math.ceil(size / SAMPLE_BYTES)));
  const last = Math.max(0, size - SAMPLE_BYTES);
  return Array.from({ length: count }, (_, index) => (count === 1 ? 0 : Math.floor((index * last) / (count - 1))));
}
