import { hasText, type Language } from './regular-language.ts';
import { patternLanguage, PatternProblem } from './parse-pattern.ts';

/**
 * Whether a pattern (ECMA-262, flag `u`) matches a text, in time proportional to the text. Clients send the patterns,
 * and a `RegExp` may take minutes for a malicious one.
 * @param whole Whether the pattern must match the whole text. Default: false, as in JSON Schema.
 */
export function matchesPattern(pattern: string, text: string, whole = false): boolean {
  const language = languageOf(pattern, whole);
  if (language !== null) return hasText(language, text);
  return new RegExp(whole ? `^(?:${pattern})$` : pattern, 'u').test(text);
}

/** Returns null for a pattern that {@link patternLanguage} does not support; the caller then uses a `RegExp`. */
function languageOf(pattern: string, whole: boolean): Language | null {
  try {
    return patternLanguage(pattern, whole);
  } catch (thrown) {
    if (thrown instanceof PatternProblem) return null;
    throw thrown;
  }
}
