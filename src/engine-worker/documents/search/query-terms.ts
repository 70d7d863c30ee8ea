import { FUNCTION_WORDS } from './function-words.ts';
import { hashOf, searchTerms } from '../../../shared/documents/search-terms.ts';

/** A term of a query. */
export interface QueryTerm {
  /** How much it counts beside the others, from 0 to 1. */
  readonly importance: number;
  /** Whether it is a word of its own that is no function word, not several that are joined as in "l'hôtel" or "2024-11". */
  readonly isContentWord: boolean;
}

/** The terms of each list. Made for the first query, so that an engine without documents starts without them. */
let languages: readonly ReadonlySet<string>[] | null = null;

/**
 * How much a function word counts beside other words, from 0 to 1. Its rareness among the passages does not tell: in
 * documents of two languages or in a short one even "how" is rare. Measured as the weight of meaning was.
 */
const IMPORTANCE = 0.25;

/** A query with fewer function words of a language does not show that it is in that language. */
const FEWEST = 2;

/** In French or Italian before the apostrophe, in English after it. Alone, as in "vitamin D", a letter may be what is sought. */
const CONTRACTED = /(?<![\p{L}\p{N}])\p{L}{1,2}(?=['’]\p{L})|(?<=\p{L}['’])(?:s|t|d|m|ll|re|ve)(?![\p{L}\p{N}])/giu;

/**
 * Returns the terms of a query by their hashes. Less important are words such as "how" and "the" of the language of which
 * it has most; "die" and "man" are some in German only.
 */
export function queryTerms(text: string): ReadonlyMap<number, QueryTerm> {
  const terms = [...new Set(searchTerms(text))];
  languages ??= FUNCTION_WORDS.map((words) => new Set(words.flatMap((word) => searchTerms(word))));
  let most: readonly string[] = [];
  for (const language of languages) {
    const found = terms.filter((term) => language.has(term));
    if (found.length >= FEWEST && found.length > most.length) most = found;
  }
  const functionWords = new Set([...most, ...contractedIn(text)]);
  return new Map(terms.map((term) => [hashOf(term), queryTerm(term, functionWords)]));
}

/** Returns what an apostrophe joins to a word in place of another word, such as "s" in "what's" and "l" in "l'hôtel". */
function contractedIn(text: string): readonly string[] {
  return Array.from(text.matchAll(CONTRACTED), ([part]) => part.toLowerCase());
}

function queryTerm(term: string, functionWords: ReadonlySet<string>): QueryTerm {
  const parts = term.split('.');
  // "Faut-il" says no more than its parts.
  const isFunctionWord = parts.every((part) => searchTerms(part).every((own) => functionWords.has(own)));
  return {
    importance: isFunctionWord ? IMPORTANCE : 1,
    isContentWord: !isFunctionWord && parts.length === 1,
  };
}
