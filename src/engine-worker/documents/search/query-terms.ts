import { ces, dan, deu, eng, fra, ita, nld, nob, pol, por, rus, spa, swe } from 'stopword';
import { hashOf, searchTerms } from './search-terms.ts';

const LISTS = [ces, dan, deu, eng, fra, ita, nld, nob, pol, por, rus, spa, swe];

/** The terms of each list. Made for the first query, so that an engine without documents starts without them. */
let languages: readonly ReadonlySet<string>[] | null = null;

/**
 * How much a function word counts beside other words, from 0 to 1. Its rareness among the passages does not tell: in
 * documents of two languages or in a short one even "how" is rare. Measured as the weight of meaning was.
 */
const IMPORTANCE = 0.25;

/** A query with fewer function words of a language does not show that it is in that language. */
const FEWEST = 2;

/**
 * Returns the hashes of the terms of a query, each with its importance. Less important are words such as "how" and
 * "the" of the language of which it has most; "die" and "man" are some in German only.
 */
export function queryTerms(text: string): ReadonlyMap<number, number> {
  const terms = [...new Set(searchTerms(text))];
  languages ??= LISTS.map((words) => new Set(words.flatMap((word) => searchTerms(word))));
  let most: readonly string[] = [];
  for (const language of languages) {
    const found = terms.filter((term) => language.has(term));
    if (found.length >= FEWEST && found.length > most.length) most = found;
  }
  const isFunctionWord = new Set(most);
  return new Map(terms.map((term) => [hashOf(term), isFunctionWord.has(term) ? IMPORTANCE : 1]));
}
