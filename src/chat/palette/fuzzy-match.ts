/** How well a text fits what was typed. */
export interface FuzzyMatch {
  /** The higher the better; comparable for one thing typed only. */
  readonly score: number;
  /** Places of the letters that fit, in order. */
  readonly positions: readonly number[];
}

/**
 * Fits what was typed to a text: each of its words must be found there, as a piece or letter by letter. The beginnings of
 * words count most, then pieces, then letters that stand close together.
 * @returns null where something is not found.
 */
export function fuzzyMatch(typed: string, text: string): FuzzyMatch | null {
  const lower = text.toLowerCase();
  // Some letters are longer in the other case, and places would not fit.
  const letters = lower.length === text.length ? lower : text;
  let score = 0;
  const positions = new Set<number>();
  for (const word of typed.toLowerCase().split(/\s+/).filter(Boolean)) {
    const match = matchWord(word, letters);
    if (match === null) return null;
    score += match.score;
    for (const position of match.positions) positions.add(position);
  }
  return { score: score - text.length / 1000, positions: [...positions].toSorted((a, b) => a - b) };
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
 * A text in parts, every other one of which, from the second on, fits what was typed. Letters that stand together stay
 * together: a browser draws some as one, and some have two units.
 * @param positions Places of the letters that fit, in order.
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
