import MiniSearch from 'minisearch';
import { furtherTerms, searchTerms } from '../../shared/documents/search-terms.ts';
import { passagesOf } from '../common/passages-of.ts';

/** The only kind of message that this worker receives. */
export interface PassageQuestion {
  readonly text: string;
  readonly question: string;
  readonly most: number;
}

export interface Passage {
  /** Position among all passages of the text. */
  readonly index: number;
  readonly text: string;
}

/**
 * Returns the passages that share the most words with a question, best first; then those at the beginning of the text.
 */
function bestPassages({ text, question, most }: PassageQuestion): readonly Passage[] {
  const texts = passagesOf(text, Infinity);
  const search = new MiniSearch<{ readonly id: number; readonly text: string }>({
    fields: ['text'],
    // The terms of collections: also of languages that write no spaces between words.
    tokenize: (words) => [...searchTerms(words), ...furtherTerms(words)],
    processTerm: (term) => term,
  });
  search.addAll(texts.map((passage, id) => ({ id, text: passage })));
  const hits = search.search(question, {
    tokenize: (words) => [...searchTerms(words)],
    prefix: (term) => term.length > 3,
    fuzzy: (term) => (term.length > 5 ? 0.2 : false),
  });
  const best = new Set([...hits.map(({ id }) => id as number), ...texts.keys()]);
  return [...best].slice(0, most).map((index) => ({ index, text: texts[index]! }));
}

addEventListener('message', ({ data }: MessageEvent<PassageQuestion>) => postMessage(bestPassages(data)));
