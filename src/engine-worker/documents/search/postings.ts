import { HASH_BITS } from '../../../shared/documents/search-terms.ts';
import type { IndexedFile } from './indexed-file.ts';

/** The most bits of a hash by which terms are grouped. */
const MOST_BITS = 20;

/** For each term the passages that have it, as lists in two flat arrays. */
export class Postings {
  /** Bits of a hash that are not part of the number of its group. */
  readonly #shift: number;
  /** Where each group starts, and at the end, where the last one ends. */
  readonly #starts: Uint32Array;
  readonly #passages: Uint32Array;
  readonly #terms: Uint32Array;

  /**
   * Sorts the terms of all files into their groups, by counting, in linear time.
   * @param files The first passage of each file gets the number after the last one of the file before it.
   */
  constructor(files: readonly IndexedFile[]) {
    const total = files.reduce((sum, { terms }) => sum + terms.length, 0);
    const bits = Math.min(MOST_BITS, Math.max(8, Math.ceil(Math.log2(total / 8 + 1))));
    this.#shift = HASH_BITS + 8 - bits;
    this.#starts = new Uint32Array(2 ** bits + 1);
    this.#passages = new Uint32Array(total);
    this.#terms = new Uint32Array(total);
    for (const { terms } of files) for (const term of terms) this.#starts[(term >>> this.#shift) + 1]! += 1;
    for (let group = 1; group < this.#starts.length; group += 1) this.#starts[group]! += this.#starts[group - 1]!;
    const next = this.#starts.slice(0, -1);
    let first = 0;
    for (const { count, terms, termEnds } of files) {
      for (let index = 0, at = 0; index < count; index += 1) {
        for (const end = termEnds[index]!; at < end; at += 1) {
          const term = terms[at]!;
          const place = next[term >>> this.#shift]!++;
          this.#passages[place] = first + index;
          this.#terms[place] = term;
        }
      }
      first += count;
    }
  }

  /** Returns how many passages have a term. */
  count(hash: number): number {
    let count = 0;
    const [from, to] = this.#group(hash);
    for (let at = from; at < to; at += 1) if (this.#terms[at]! >>> 8 === hash) count += 1;
    return count;
  }

  /**
   * Adds to the score of each passage that has a term: up to `weight`, the more the oftener it has it.
   * @param to.norms For each passage the number of occurrences that is worth half of `weight`.
   * @param to.shared Counts the terms that each passage has; null if this one does not count.
   */
  score(
    hash: number,
    to: {
      readonly weight: number;
      readonly norms: Float32Array;
      readonly scores: Float32Array;
      readonly shared: Uint8Array | null;
    },
  ): void {
    const { weight, norms, scores, shared } = to;
    const terms = this.#terms;
    const passages = this.#passages;
    const [from, end] = this.#group(hash);
    for (let at = from; at < end; at += 1) {
      const term = terms[at]!;
      if (term >>> 8 !== hash) continue;
      const passage = passages[at]!;
      const occurrences = term & 0xff;
      scores[passage]! += (weight * occurrences) / (occurrences + norms[passage]!);
      if (shared !== null && shared[passage]! < 2) shared[passage]! += 1;
    }
  }

  /** Returns where the group of a term starts and ends. */
  #group(hash: number): readonly [from: number, to: number] {
    const group = (hash << 8) >>> this.#shift;
    return [this.#starts[group]!, this.#starts[group + 1]!];
  }
}
