import { ANY_CHARACTER } from './character-set.ts';
import { and, one, repeated, type Language } from './regular-language.ts';

/** A language is not shortened to texts of fewer characters than this. */
const LEAST_LENGTH = 50;

/**
 * Returns the texts of a language that are not longer than the smallest limit of repetitions in it, of which
 * {@link LEAST_LENGTH} is the least that counts. In such short texts no repetition can exceed its limit, so the states of
 * an automaton need not count them. Returns null if there is no such limit.
 */
export function shortenedLanguage(language: Language): Language | null {
  const length = Math.min(...limitsIn(language));
  return length === Infinity ? null : and(language, repeated(one(ANY_CHARACTER), 0, length));
}

function limitsIn(language: Language): readonly number[] {
  if (language.kind === 'not') return limitsIn(language.inner);
  if ('parts' in language) return language.parts.flatMap(limitsIn);
  if (language.kind !== 'repeat') return [];
  const { inner, max } = language;
  return [...(max >= LEAST_LENGTH && !inner.nullable ? [max] : []), ...limitsIn(inner)];
}
