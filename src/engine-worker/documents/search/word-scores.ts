import type { IndexedFile } from './indexed-file.ts';
import { Postings } from './postings.ts';
import type { QueryTerm } from './query-terms.ts';

/** A file, and the number of its first passage among those of all files. */
export interface Segment {
  readonly file: IndexedFile;
  readonly first: number;
}

/** How soon further occurrences of a term stop to count (k1 of BM25). */
const SATURATION = 1.2;

/** How much longer passages need more occurrences (b of BM25), from 0 to 1. */
const LENGTH_WEIGHT = 0.75;

/** How many of a query's content words, or all if it has fewer, a passage must have for its whole score. */
const ENOUGH_SHARED = 2;

/** Compares the words of a query with all passages by BM25. */
export class WordScores {
  readonly #postings: Postings;
  readonly #count: number;
  /** For each passage what the number of occurrences is compared with: more in a longer passage. */
  readonly #norms: Float32Array;

  /** @param segments In the order of their first passages, without gaps. */
  constructor(segments: readonly Segment[]) {
    this.#postings = new Postings(segments.map(({ file }) => file));
    this.#count = segments.reduce((sum, { file }) => sum + file.count, 0);
    const total = segments.reduce((sum, { file }) => sum + file.lengths.reduce((all, length) => all + length, 0), 0);
    this.#norms = new Float32Array(this.#count);
    for (const { file, first } of segments) {
      for (const [index, length] of file.lengths.entries()) {
        this.#norms[first + index] =
          SATURATION * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * length * this.#count) / Math.max(total, 1));
      }
    }
  }

  /**
   * Writes the score of each passage into `out`: 0 without any term of the query, near 1 if it has all of them often. Rare
   * terms count more than frequent ones.
   * @param terms The query's terms by their hashes.
   * @param weightOfSingle See `PassageQuery.weightOfSingleWord`.
   */
  add(terms: ReadonlyMap<number, QueryTerm>, weightOfSingle: number, out: Float32Array): void {
    const weights = Array.from(terms, ([term, { importance, isContentWord }]) => {
      const passages = this.#postings.count(term);
      const weight = importance * Math.log(1 + (this.#count - passages + 0.5) / (passages + 0.5));
      return { term, weight, isContentWord };
    });
    const sum = weights.reduce((all, { weight }) => all + weight, 0);
    const shared = new Uint8Array(this.#count);
    for (const { term, weight, isContentWord } of weights)
      this.#postings.score(term, {
        weight: weight / sum,
        norms: this.#norms,
        scores: out,
        shared: isContentWord ? shared : null,
      });
    const enough = Math.min(ENOUGH_SHARED, weights.filter(({ isContentWord }) => isContentWord).length);
    if (weightOfSingle === 1 || enough === 0) return;
    for (let passage = 0; passage < this.#count; passage += 1)
      if (shared[passage]! < enough) out[passage]! *= weightOfSingle;
  }
}
