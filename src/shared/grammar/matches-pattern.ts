import { hasText, type Language } from './language.ts';
import { patternLanguage, PatternProblem } from './parse-pattern.ts';

/**
 * Whether a pattern (ECMA-262, flag `u`) finds a match. It takes steps in proportion to the text, where a `RegExp` may take
 * minutes: patterns come from callers.
 * @param whole Whether the match must be the whole text. Default: false, as in JSON Schema.
 */
export function matchesPattern(pattern: string, text: string, whole = false): boolean {
  const language = languageOf(pattern, whole);
  if (language !== null) return hasText(language, text);
  return new RegExp(whole ? `^(?:${pattern})$` : pattern, 'u').test(text);
}

/** Null for a pattern that only a `RegExp` follows. */
function languageOf(pattern: string, whole: boolean): Language | null {
  try {
    return patternLanguage(pattern, whole);
  } catch (thrown) {
    if (thrown instanceof PatternProblem) return null;
    throw thrown;
  }
}
