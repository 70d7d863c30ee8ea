import type { Piece } from './page-pieces.ts';

/** How far apart programs draw bold or shadowed text several times, at most, in heights of the text. */
const SHIFT = 0.2;

/** Most pieces before a piece that are compared with it, and most characters of those that may overlap in part. */
const MOST_COMPARED = 8;
const LONGEST_COMPARED = 300;

/**
 * Returns the pieces of a line without what is drawn again at the same place, as bold or shadowed text is. Other text that
 * overlaps stays.
 */
export function withoutDoubledText(pieces: readonly Piece[]): readonly Piece[] {
  const kept: Piece[] = [];
  for (const piece of pieces.toSorted((one, other) => one.x - other.x)) {
    let rest: Piece | null = piece;
    for (const before of kept.slice(-MOST_COMPARED)) rest &&= withoutDouble(rest, before);
    if (rest !== null) kept.push(rest);
  }
  return kept;
}

/**
 * Returns what a piece shows besides one that begins before it; null if nothing. A program that draws each word twice goes
 * back for the second time, and goes on with the next word, so that a piece may begin with the end of another one.
 */
function withoutDouble(piece: Piece, before: Piece): Piece | null {
  const overlap = endOf(before) - piece.x;
  const apart = Math.abs(piece.y - before.y) + Math.abs(piece.height - before.height);
  const isOver = overlap > 0 && apart <= SHIFT * piece.height;
  if (!isOver) return piece;
  const [text, whole] = [piece.text.trimEnd(), before.text];
  if (text === whole.trimEnd()) return piece.x - before.x <= SHIFT * piece.height ? null : piece;
  if (piece.isRightToLeft || Math.max(text.length, whole.length) > LONGEST_COMPARED) return piece;
  // A piece that continues a word may equal its end, as the last 0 of 100 does, and begin a rounding error before that end.
  if (overlap > piece.width / 2 && isPartOf(text, piece, before)) return null;
  const doubled = doubledStart(piece, before, overlap);
  const rest = piece.text.slice(doubled);
  if (doubled === 0) return piece;
  return rest.trim() === '' ? null : { ...piece, text: rest, x: endOf(before), width: endOf(piece) - endOf(before) };
}

/** Whether the text is that of `before` at this place. The place of a character is known but roughly. */
function isPartOf(text: string, piece: Piece, before: Piece): boolean {
  const width = widthOfCharacter(before);
  const tolerance = Math.min(text.length, 2) * width + SHIFT * piece.height;
  for (let at = before.text.indexOf(text); at !== -1; at = before.text.indexOf(text, at + 1))
    if (Math.abs(before.x + at * width - piece.x) <= tolerance) return endOf(piece) <= endOf(before) + tolerance;
  return false;
}

/** Returns how many characters at the start of a piece are the last ones of `before`, and have the width of the overlap. */
function doubledStart(piece: Piece, before: Piece, overlap: number): number {
  const widths = [widthOfCharacter(piece), widthOfCharacter(before)];
  let [best, least] = [0, 0.3];
  for (let count = Math.min(piece.text.length, before.text.length); count > 0; count -= 1) {
    const difference = Math.min(...widths.map((width) => Math.abs(overlap / (count * width) - 1)));
    if (difference < least && before.text.endsWith(piece.text.slice(0, count))) [best, least] = [count, difference];
  }
  return best;
}

function endOf({ x, width }: Piece): number {
  return x + width;
}

function widthOfCharacter({ text, width }: Piece): number {
  return width / text.length;
}
