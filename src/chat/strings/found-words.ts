import { UNSPACED } from '../../shared/documents/search-terms.ts';

/** A part of a text, from the character at `start` up to but not including the one at `end`. */
export type TextRange = readonly [start: number, end: number];

const WORD = new RegExp(`(${UNSPACED.source})|(?:(?!${UNSPACED.source})[\\p{L}\\p{N}\\p{M}])+`, 'gu');

interface WordPlace {
  readonly word: string;
  readonly range: TextRange;
}

/** Returns the words of a text, and the pairs of neighbouring characters of languages that write no spaces between words. */
export function wordsOf(text: string): readonly WordPlace[] {
  return Array.from(text.matchAll(WORD)).flatMap(({ 0: word, 1: run, index }) =>
    run === undefined ? [{ word, range: [index, index + word.length] as const }] : pairsOf(run, index),
  );
}

function pairsOf(run: string, start: number): readonly WordPlace[] {
  // Vowels and tones of Thai are marks on the letter before.
  const characters = run.match(/\P{M}\p{M}*|\p{M}+/gu)!;
  let end = start + characters[0]!.length;
  if (characters.length === 1) return [{ word: run, range: [start, end] }];
  return characters.slice(1).map((character, index) => {
    const word = characters[index]! + character;
    end += character.length;
    return { word, range: [end - word.length, end] };
  });
}

/** Whether a word is a single character of a language without spaces, which is only found as a part of pairs. */
export function isSingleCharacter(word: string): boolean {
  return Array.from(word).length === 1 && word.search(UNSPACED) === 0;
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
  for (const { word, range } of wordsOf(lower)) {
    if (!sought.has(word)) continue;
    const [start, end] = ranges.at(-1) ?? [0, 0];
    // Pairs of characters overlap.
    if (range[0] < end) ranges[ranges.length - 1] = [start, range[1]];
    else ranges.push(range);
  }
  return ranges;
}

/**
 * Converts a text to lower case without changing its length. Some letters become longer in lower case, which would
 * shift the ranges.
 */
function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
