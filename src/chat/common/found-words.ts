/** A piece of a text: from the first character to before the last. */
export type TextRange = readonly [start: number, end: number];

const WORD = /[\p{L}\p{N}]+/gu;

/** The words of a text, each with its place. */
export function wordsOf(text: string): { readonly word: string; readonly range: TextRange }[] {
  return Array.from(text.matchAll(WORD), ({ 0: word, index }) => ({ word, range: [index, index + word.length] }));
}

/** Where words occur in a text, whatever their letter case: all of them as one phrase or, where that is nowhere, each by itself. */
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

/** In as many characters: some letters have more of them in the other case, and places would not fit. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
