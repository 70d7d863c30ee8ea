import { DEFAULT_LIMITS, passageText, type Passage } from '../../src/engine-worker/documents/passages/passage.ts';
import { splitPassages } from '../../src/engine-worker/documents/passages/split-passages.ts';
import { indexFile, type IndexedFile } from '../../src/engine-worker/documents/search/indexed-file.ts';
import {
  PassageIndex,
  type PassageHit,
  type PassageQuery,
} from '../../src/engine-worker/documents/search/passage-index.ts';
import { WEIGHTS_FOR_POCKET_EMBED } from '../../src/engine-worker/documents/store-search.ts';
import type { CorpusFile } from './corpus.ts';
import type { EmbeddingModel } from './embed-texts.ts';
import { hasPhrase, isFileOf, type Place } from './questions.ts';
import { vectorsOf } from './vectors.ts';

/** A file with its passages and their index. */
interface Indexed {
  readonly file: CorpusFile;
  readonly passages: readonly Passage[];
  readonly index: IndexedFile;
}

/** The files of the documents, and the vectors of the questions, by one model. */
export interface Corpus {
  readonly files: readonly Indexed[];
  /** Returns what is searched for a question. `text` are the words that are compared; default: the question. */
  query(question: string, text?: string): Omit<PassageQuery, 'most'>;
}

/** @param model Default: only words are compared. */
export function indexCorpus(
  corpus: readonly CorpusFile[],
  questions: readonly string[],
  model: EmbeddingModel | null,
): Corpus {
  const split = corpus.map((file) => {
    const passages = [...splitPassages(file.text, DEFAULT_LIMITS)];
    return { file, passages, texts: passages.map((passage) => passageText(file.text, passage)) };
  });
  const texts = split.flatMap((file) => file.texts);
  const vectors = model === null ? [] : vectorsOf(model, [...texts, ...questions]);
  let first = 0;
  const files = split.map(({ file, passages, texts: own }) => {
    const index = indexFile(own, vectors.slice(first, first + own.length));
    first += own.length;
    return { file, passages, index };
  });
  return {
    files,
    query(question, text = question) {
      const vector = vectors[texts.length + questions.indexOf(question)];
      const weights = model === 'pocket_embed' ? WEIGHTS_FOR_POCKET_EMBED : {};
      return { text, ...(vector !== undefined && { vector, ...weights }) };
    },
  };
}

/** Returns an index of some files. The id of each is its number in `files`. */
export function indexOf({ files }: Corpus, isIncluded: (file: CorpusFile) => boolean): PassageIndex {
  const index = new PassageIndex();
  for (const [number, { file, index: indexed }] of files.entries()) {
    if (isIncluded(file)) index.add(`${number}`, indexed);
  }
  return index;
}

/** Returns whether a hit is the passage with a place. */
export function isAt(place: Place, { file: id, place: number }: PassageHit, { files }: Corpus): boolean {
  const { file, passages } = files[Number(id)]!;
  if (!isFileOf(file, place)) return false;
  const { start, end } = passages[number]!;
  return hasPhrase(file.text.slice(start, end), place);
}
