/** Matches what needs no parentheses: a letter or word, a number, what has them already, and a root. */
const WHOLE = /^(?:[-−+]?(?:[\p{L}\p{M}]+|\p{N}+(?:[.,]\p{N}+)*|[^\p{N}])|√?\([^()]*\))?$/u;

/** A part with more characters has more than one word. */
const LONGEST = 100;

/** Returns a part of a fraction, an exponent or the like, in parentheses if it would be read otherwise on one line. */
export function formulaPart(text: string): string {
  return text.length <= LONGEST && WHOLE.test(text) ? text : `(${text})`;
}

/** Returns a root on one line. @param degree Empty for a square root. */
export function rootOf(text: string, degree: string): string {
  return degree === '' ? `√(${text})` : `${formulaPart(text)}^(1/${degree})`;
}
