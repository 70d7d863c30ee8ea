import { matchesFilter, type AttributeFilter, type Attributes } from './attribute-filter.ts';
import type { IndexedFile } from './indexed-file.ts';
import { bestScores } from './best-scores.ts';
import { addSimilarities, quantise } from './quantise.ts';
import { queryTerms } from './query-terms.ts';
import { WordScores, type Segment } from './word-scores.ts';

/** What is looked for. */
export interface PassageQuery {
  /** A question or words. */
  readonly text: string;
  /** Its embedding, of length 1, by the model of the files' vectors. Default: only words are compared. */
  readonly vector?: Float32Array;
  /** How much the likeness of the vectors counts beside the words, from 0 to 1. Default: 0.5. */
  readonly weightOfMeaning?: number;
  /**
   * How much the words of a passage count that has only one of several words of the text, function words apart, or none, from
   * 0 to 1: it is likely to be about something else. Default: 1.
   */
  readonly weightOfSingleWord?: number;
  /** By what scores are multiplied, so that one lowest score suits several models. Default: 1. */
  readonly scale?: number;
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

/** The default fits a model such as all-MiniLM-L6-v2. Measured on the questions of `test/documents` for choosing. */
const WEIGHT_OF_MEANING = 0.5;

/**
 * How many of the best passages are looked at for each hit, as some of them are duplicates of others. If there are too many
 * duplicates, so many times more are looked at.
 */
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
  search({
    text,
    vector,
    weightOfMeaning = WEIGHT_OF_MEANING,
    weightOfSingleWord = 1,
    scale: ownScale = 1,
    most,
    threshold = 0,
    filter,
  }: PassageQuery): readonly PassageHit[] {
    const wordScores = (this.#words ??= this.#indexWords());
    const files = [...this.#files.values()].filter(
      ({ attributes }) => filter === undefined || matchesFilter(filter, attributes),
    );
    const words = new Float32Array(this.#count);
    wordScores.add(queryTerms(text), weightOfSingleWord, words);
    const scores = this.#score(words, vector, vector === undefined ? 0 : weightOfMeaning, files);
    const scale = ownScale * scaleFor(this.#count);
    for (let candidates = most * CANDIDATES; ; candidates *= CANDIDATES) {
      const best = bestScores(scores, candidates);
      const scoreOf = (slot: number) => Math.min(1, scores[slot]! * scale);
      const hits = distinctHits(best, files, scoreOf, { most, threshold });
      if (hits.length === most || best.length < candidates || scoreOf(best.at(-1)!) < threshold) return hits;
    }
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
    words: Float32Array,
    vector: Float32Array | undefined,
    weight: number,
    files: readonly AddedFile[],
  ): Float32Array {
    const query = vector === undefined ? null : quantise([vector]);
    const likeness = new Float32Array(this.#count);
    const scores = new Float32Array(this.#count);
    for (const { file, first } of files) {
      const hasVectors = query !== null && file.dimensions === query.dimensions;
      if (hasVectors) addSimilarities(query, file, likeness, first);
      for (let slot = first; slot < first + file.count; slot += 1) {
        // A vector that is no number, as of a GPU that has failed, leaves the words.
        scores[slot] = words[slot]! * (1 - weight) + (likeness[slot]! > 0 ? likeness[slot]! * weight : 0);
      }
    }
    return scores;
  }
}

/**
 * Returns what likeness is multiplied by to be the score. The more passages there are, the more likeness the best of them
 * has by chance, so that one lowest score suits small and large collections.
 */
function scaleFor(count: number): number {
  return 1.5 / (1 + Math.log10(Math.max(count, 1)) / 4);
}

/** Returns the passages with these numbers, best first. Of those with the same words only the best. */
function distinctHits(
  slots: readonly number[],
  files: readonly AddedFile[],
  scoreOf: (slot: number) => number,
  { most, threshold }: { readonly most: number; readonly threshold: number },
): PassageHit[] {
  const seen = new Set<number>();
  const hits: PassageHit[] = [];
  for (const slot of slots) {
    const score = scoreOf(slot);
    if (score < threshold || hits.length === most) break;
    const { id, file, first } = fileAt(files, slot);
    const fingerprint = file.fingerprints[slot - first]!;
    if (seen.has(fingerprint)) continue;
    seen.add(fingerprint);
    hits.push({ file: id, place: slot - first, score });
  }
  return hits;
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
