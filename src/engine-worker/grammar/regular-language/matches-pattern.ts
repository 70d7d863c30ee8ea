import { patternExpression } from '../../../shared/json-schema/unicode-pattern.ts';
import { hasText, type Language } from './regular-language.ts';
import { patternLanguage, PatternProblem } from './parse-pattern.ts';

/**
 * Whether a pattern (ECMA-262, flag `u`) matches a text, in time proportional to the text. Clients send the patterns,
 * and a `RegExp` may take minutes for a malicious one. A pattern that only a `RegExp` can match, such as one with look-around,
 * counts as matching if it might take long.
 * @param whole Whether the pattern must match the whole text. Default: false, as in JSON Schema.
 */
export function matchesPattern(pattern: string, text: string, whole = false): boolean {
  const language = languageOf(pattern, whole);
  if (language !== null) return hasText(language, text);
  if (mayTakeLong(pattern, text)) return true;
  return patternExpression(pattern, whole).test(text);
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

/** Limit of a text that a `RegExp` is tried with. */
const MAX_LENGTH = 300;

/** Whether a `RegExp` might need far more steps than the text has characters: it repeats a group, or much else. */
function mayTakeLong(pattern: string, text: string): boolean {
  const repetitions = pattern.match(/[*+]|\{\d+,\d*\}/g) ?? [];
  return text.length > MAX_LENGTH || repetitions.length > 2 || /\)[*+{]/.test(pattern);
}
