export interface FuzzyMatch {
  /** Higher is better. Comparable within one query only. */
  readonly score: number;
  /** Ascending indexes of the matching letters. */
  readonly positions: readonly number[];
}

/**
 * Matches each word of a query in a text, as a substring or letter by letter, without case and accents. Word starts score
 * highest, then substrings, then letters close together.
 * @returns null if a word is not found.
 */
export function fuzzyMatch(typed: string, text: string): FuzzyMatch | null {
  const letters = plain(text);
  let score = 0;
  const positions = new Set<number>();
  for (const word of plain(typed).split(/\s+/).filter(Boolean)) {
    const match = matchWord(word, letters);
    if (match === null) return null;
    score += match.score;
    for (const position of match.positions) positions.add(position);
  }
  return { score: score - text.length / 1000, positions: [...positions].toSorted((a, b) => a - b) };
}

/**
 * Returns a text in lower case and without accents. Letters that would change their length stay: they would shift the
 * indexes. Greek has two forms of one lower-case letter.
 */
function plain(text: string): string {
  // The palette compares each title at each key press, and most titles have no other letters.
  if (/^[ -~]*$/.test(text)) return text.toLowerCase();
  return Array.from(text, (letter) => {
    const base = letter.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');
    return base.length === letter.length ? base : letter;
  })
    .join('')
    .replaceAll('ς', 'σ');
}

function matchWord(word: string, text: string): FuzzyMatch | null {
  let found = -1;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (found === -1) found = at;
    if (!isWordStart(text, at)) continue;
    return { score: (at === 0 ? 4 : 3) * word.length, positions: placesFrom(at, word.length) };
  }
  if (found !== -1) return { score: 2 * word.length, positions: placesFrom(found, word.length) };
  const positions: number[] = [];
  let at = 0;
  for (const letter of word) {
    const place = text.indexOf(letter, at);
    if (place === -1) return null;
    positions.push(...placesFrom(place, letter.length));
    at = place + letter.length;
  }
  const starts = positions.filter((position) => isWordStart(text, position)).length;
  const span = at - positions[0]!;
  return { score: (word.length + starts) / Math.max(1, span / word.length), positions };
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1]!);
}

function placesFrom(start: number, length: number): readonly number[] {
  return Array.from({ length }, (_, index) => start + index);
}

/**
 * Splits a text so that the parts with an odd index match. Adjacent matching letters share a part, because browsers may
 * join them into one glyph and some have two code units.
 */
export function markedParts(text: string, positions: readonly number[]): readonly string[] {
  const parts: string[] = [];
  let end = 0;
  for (const position of positions) {
    if (parts.length > 0 && position === end) parts.push(parts.pop()! + text[position]!);
    else parts.push(text.slice(end, position), text[position]!);
    end = position + 1;
  }
  return [...parts, text.slice(end)];
}
