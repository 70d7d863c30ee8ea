import { matchesFilter, type AttributeFilter, type Attributes } from './attribute-filter.ts';
import type { IndexedFile } from './indexed-file.ts';
import { bestScores } from './best-scores.ts';
import { addSimilarities, quantise } from './quantise.ts';
import { hashOf, searchTerms } from './search-terms.ts';
import { WordScores, type Segment } from './word-scores.ts';

/** What is looked for. */
export interface PassageQuery {
  /** A question or words. */
  readonly text: string;
  /** Its embedding, of length 1, by the model of the files' vectors. Default: only words are compared. */
  readonly vector?: Float32Array;
  /** Largest number of hits. */
  readonly most: number;
  /** The smallest score of a hit, from 0 to 1. Default: 0, which leaves out only passages without any likeness. */
  readonly threshold?: number;
  /** Which files are searched. Default: all. */
  readonly filter?: AttributeFilter;
}

/** A passage that was found. */
export interface PassageHit {
  /** The id of its file. */
  readonly file: string;
  /** The passage's place among those of the file. */
  readonly place: number;
  readonly score: number;
}

interface AddedFile extends Segment {
  readonly id: string;
  readonly attributes: Attributes;
}

/**
 * How much the vectors count beside the words, from 0 to 1. Measured on the questions of `test/documents` that are there
 * for that.
 */
const WEIGHT_OF_MEANING = 0.2;

/** How many of the best passages are looked at for each hit, as some of them are duplicates of others. */
const CANDIDATES = 8;

/** Finds passages of files by their words and by their meaning. It holds numbers only, no text. */
export class PassageIndex {
  readonly #files = new Map<string, AddedFile>();
  #words: WordScores | null = null;
  #count = 0;

  /** Number of passages. */
  get count(): number {
    return this.#count;
  }

  /**
   * Adds a file, or replaces it.
   * @param attributes What {@link PassageQuery.filter} compares.
   */
  add(id: string, file: IndexedFile, attributes: Attributes = {}): void {
    this.remove(id);
    this.#files.set(id, { id, attributes, file, first: 0 });
    this.#count += file.count;
    this.#words = null;
  }

  /** Removes a file, if it is there. */
  remove(id: string): void {
    const added = this.#files.get(id);
    if (added === undefined) return;
    this.#files.delete(id);
    this.#count -= added.file.count;
    this.#words = null;
  }

  /** The ids of the files. */
  get ids(): readonly string[] {
    return [...this.#files.keys()];
  }

  has(id: string): boolean {
    return this.#files.has(id);
  }

  /** Returns the hits, best first. Passages of the same words are one hit. */
  search({ text, vector, most, threshold = 0, filter }: PassageQuery): readonly PassageHit[] {
    const wordScores = (this.#words ??= this.#indexWords());
    const files = [...this.#files.values()].filter(
      ({ attributes }) => filter === undefined || matchesFilter(filter, attributes),
    );
    const scores = this.#score(wordScores, text, vector, files);
    const seen = new Set<number>();
    const hits: PassageHit[] = [];
    for (const slot of bestScores(scores, most * CANDIDATES)) {
      const score = scores[slot]!;
      if (score < threshold || hits.length === most) break;
      const { id, file, first } = fileAt(files, slot);
      const fingerprint = file.fingerprints[slot - first]!;
      if (seen.has(fingerprint)) continue;
      seen.add(fingerprint);
      hits.push({ file: id, place: slot - first, score });
    }
    return hits;
  }

  /** Numbers the passages of all files, and indexes their words. Once for any number of changes. */
  #indexWords(): WordScores {
    let first = 0;
    for (const [id, added] of this.#files) {
      this.#files.set(id, { ...added, first });
      first += added.file.count;
    }
    return new WordScores([...this.#files.values()]);
  }

  #score(
    wordScores: WordScores,
    text: string,
    vector: Float32Array | undefined,
    files: readonly AddedFile[],
  ): Float32Array {
    const words = new Float32Array(this.#count);
    wordScores.add(new Set(searchTerms(text).map(hashOf)), words);
    const query = vector === undefined ? null : quantise([vector]);
    const likeness = new Float32Array(this.#count);
    const scores = new Float32Array(this.#count);
    for (const { file, first } of files) {
      const hasVectors = query !== null && file.dimensions === query.dimensions;
      if (hasVectors) addSimilarities(query, file, likeness, first);
      const weight = query === null ? 0 : WEIGHT_OF_MEANING;
      for (let slot = first; slot < first + file.count; slot += 1) {
        scores[slot] = words[slot]! * (1 - weight) + Math.max(0, likeness[slot]!) * weight;
      }
    }
    return scores;
  }
}

/** Returns the file that has the passage with a number. `files` are in the order of their first passages. */
function fileAt(files: readonly AddedFile[], slot: number): AddedFile {
  let [low, high] = [0, files.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (files[middle]!.first <= slot) low = middle;
    else high = middle - 1;
  }
  return files[low]!;
}
