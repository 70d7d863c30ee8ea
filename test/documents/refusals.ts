import { LEAST_SCORE } from '../../src/chat/answers/find-sources.ts';
import type { CorpusFile } from './corpus.ts';
import { indexOf, isAt, type Corpus } from './index-corpus.ts';
import { isFileOf, type ForeignQuestion, type Place } from './questions.ts';

/** Passages that the chat page looks for. */
const MOST = 4;

/** Collections that a person may ask. */
const COLLECTIONS: Readonly<Record<string, (file: CorpusFile) => string>> = {
  'all documents': () => '',
  'a package in one language': ({ name, language }) => `${language} ${name.split('/')[0]}`,
  'a single file': ({ name, language }) => `${language} ${name}`,
};

/**
 * Returns for each kind of collection how many of the questions without an answer get no passage in the chat page, and how
 * many of the questions with an answer, whose passage is among the first hits, do not get it because of its low score.
 */
export function refusalsOf(
  corpus: Corpus,
  places: readonly Place[],
  foreign: readonly ForeignQuestion[],
): Record<string, Record<string, string>> {
  const rows: Record<string, Record<string, string>> = {};
  for (const [name, collectionOf] of Object.entries(COLLECTIONS)) {
    const refused: boolean[] = [];
    const lost: Record<'question' | 'inOtherWords', boolean[]> = { question: [], inOtherWords: [] };
    const asked = new Map<string, Place[]>();
    for (const place of places) {
      const { file } = corpus.files.find((one) => isFileOf(one.file, place))!;
      const collection = collectionOf(file);
      asked.set(collection, [...(asked.get(collection) ?? []), place]);
    }
    for (const [collection, own] of asked) {
      const index = indexOf(corpus, (file) => collectionOf(file) === collection);
      const search = (question: string) => index.search({ ...corpus.query(question), most: MOST });
      for (const { language, question } of foreign) {
        if (collection !== '' && !own.some((place) => place.language === language)) continue;
        refused.push(search(question).every(({ score }) => score < LEAST_SCORE));
      }
      for (const place of own) {
        for (const kind of ['question', 'inOtherWords'] as const) {
          const hit = search(place[kind]).find((one) => isAt(place, one, corpus));
          if (hit !== undefined) lost[kind].push(hit.score < LEAST_SCORE);
        }
      }
    }
    rows[name] = {
      'without an answer, nothing found': share(refused),
      'with an answer, passage lost': share(lost.question),
      'in other words, passage lost': share(lost.inOtherWords),
    };
  }
  return rows;
}

function share(cases: readonly boolean[]): string {
  return `${cases.filter(Boolean).length} of ${cases.length}`;
}
