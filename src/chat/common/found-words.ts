/** A part of a text, from the character at `start` up to but not including the one at `end`. */
export type TextRange = readonly [start: number, end: number];

const WORD = /[\p{L}\p{N}]+/gu;

export function wordsOf(text: string): { readonly word: string; readonly range: TextRange }[] {
  return Array.from(text.matchAll(WORD), ({ 0: word, index }) => ({ word, range: [index, index + word.length] }));
}

/** Finds words in a text, ignoring case: all occurrences of the whole phrase or, if there are none, of each word. */
export function rangesOf(words: string, text: string): readonly TextRange[] {
  const phrase = lowerCase(words.trim());
  if (phrase === '') return [];
  const lower = lowerCase(text);
  const ranges: TextRange[] = [];
  for (let at = lower.indexOf(phrase); at !== -1; at = lower.indexOf(phrase, at + phrase.length)) {
    ranges.push([at, at + phrase.length]);
  }
  if (ranges.length > 0) return ranges;
  const sought = new Set(wordsOf(phrase).map(({ word }) => word));
  return wordsOf(lower)
    .filter(({ word }) => sought.has(word))
    .map(({ range }) => range);
}

/**
 * Converts a text to lower case without changing its length. Some letters become longer in lower case, which would
 * shift the ranges.
 */
function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
