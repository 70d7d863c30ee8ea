import { furtherTerms, hashOf, searchTerms } from '../../../shared/documents/search-terms.ts';
import { quantise, type Quantised } from './quantise.ts';

/**
 * What is searched of the passages of a file: numbers only, ready to be stored. All arrays are in the order of the
 * passages.
 */
export interface IndexedFile {
  /** Number of passages. */
  readonly count: number;
  /** Numbers in the vector of a passage; 0 if the passages have none. */
  readonly dimensions: number;
  /** Where the terms of each passage end in `terms`. */
  readonly termEnds: Uint32Array;
  /** The terms of each passage, without repetition and in ascending order: 24 bits of hash, 8 bits of how often. */
  readonly terms: Uint32Array;
  /** How many terms a passage has, repetitions included. */
  readonly lengths: Uint32Array;
  /** Hash of the words of each passage. Passages of the same words have the same one. */
  readonly fingerprints: Float64Array;
  /** The vectors in 8 bits, one after the other. */
  readonly vectors: Int8Array;
  /** What a number of each vector is multiplied by to be that of the unit vector. */
  readonly scales: Float32Array;
}

/** The most occurrences of a term that are counted, as they have 8 bits. */
const MOST_OCCURRENCES = 255;

/** Collects the words of a file's passages, one passage after the other, so that a caller can pause between them. */
export class PassageWords {
  readonly #terms: Uint32Array[] = [];
  readonly #lengths: number[] = [];
  readonly #fingerprints: number[] = [];

  /** @param text What the next passage is found by: its own text with its headings. */
  add(text: string): void {
    const words = searchTerms(text);
    this.#terms.push(countTerms([...words, ...furtherTerms(text)]));
    // Without the further ones, which indexes of earlier versions of this software do not have.
    this.#lengths.push(words.length);
    this.#fingerprints.push(fingerprintOf(words));
  }

  /** @param vectors The vectors of all passages, or none. */
  indexed(vectors: Quantised): IndexedFile {
    const termEnds = new Uint32Array(this.#terms.length);
    let end = 0;
    for (const [index, { length }] of this.#terms.entries()) termEnds[index] = end += length;
    const terms = new Uint32Array(end);
    for (const [index, own] of this.#terms.entries()) terms.set(own, termEnds[index]! - own.length);
    return {
      count: this.#terms.length,
      termEnds,
      terms,
      lengths: Uint32Array.from(this.#lengths),
      fingerprints: Float64Array.from(this.#fingerprints),
      ...vectors,
    };
  }
}

/**
 * Makes what is searched of the passages of a file.
 * @param texts What a passage is found by: its own text with its headings.
 * @param vectors The embedding of each text, of length 1. Default: none, so that only words are searched.
 */
export function indexFile(texts: readonly string[], vectors: readonly Float32Array[] = []): IndexedFile {
  const words = new PassageWords();
  for (const text of texts) words.add(text);
  return words.indexed(quantise(vectors));
}

/** Returns the distinct terms with their occurrences, packed as in an {@link IndexedFile}. */
function countTerms(words: readonly string[]): Uint32Array {
  const hashes = Uint32Array.from(words, hashOf).toSorted();
  const packed: number[] = [];
  for (let at = 0; at < hashes.length;) {
    let next = at + 1;
    while (next < hashes.length && hashes[next] === hashes[at]) next += 1;
    packed.push(((hashes[at]! << 8) | Math.min(next - at, MOST_OCCURRENCES)) >>> 0);
    at = next;
  }
  return Uint32Array.from(packed);
}

/** Returns a hash of 48 bits of the words in their order. */
function fingerprintOf(words: readonly string[]): number {
  let [low, high] = [0, 0x9e3779b9];
  for (const word of words) {
    const hash = hashOf(word);
    low = Math.imul(low ^ hash, 0x01000193) + 1;
    high = Math.imul(high ^ hash, 0x85ebca6b) + 1;
  }
  return (low >>> 8) * 2 ** 24 + (high >>> 8);
}
