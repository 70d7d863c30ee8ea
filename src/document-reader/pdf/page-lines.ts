import { withoutDoubledText } from './doubled-text.ts';
import type { Piece } from './page-pieces.ts';

/** Text without a wide gap inside. */
export interface Segment {
  readonly text: string;
  /** Its base line, which may differ a little from that of the line. */
  readonly y: number;
  readonly left: number;
  readonly right: number;
}

/** A line of a page or of a part of it. */
export interface Line {
  readonly y: number;
  readonly height: number;
  readonly isRightToLeft: boolean;
  /** In the order of reading. */
  readonly segments: readonly Segment[];
}

/** A gap wider than this, in heights of the text, separates segments. Spaces of justified text are narrower. */
const WIDE_GAP = 1;

/** A gap wider than this, in heights of the text, is a space. */
const SPACE = 0.15;

/** Pieces whose base lines differ by less than this, in heights of the text, are on one line, such as exponents. */
const SAME_LINE = 0.45;

/** Returns the lines of a page from top to bottom. */
export function linesOf(pieces: readonly Piece[]): readonly Line[] {
  const sorted = pieces.toSorted((one, other) => one.y - other.y);
  const lines: Piece[][] = [];
  let y = -Infinity;
  let height = 0;
  for (const piece of sorted) {
    if (piece.y - y <= SAME_LINE * Math.max(height, piece.height) && lines.length > 0) {
      lines.at(-1)!.push(piece);
      // An exponent stands above the base line of its line, and comes before it.
      if (piece.height > height) ({ y, height } = piece);
    } else {
      lines.push([piece]);
      ({ y, height } = piece);
    }
  }
  return lines.map(lineOf);
}

function lineOf(pieces: readonly Piece[]): Line {
  // Numbers are written alike in all scripts.
  const letters = (isRightToLeft: boolean) =>
    pieces
      .filter((piece) => piece.isRightToLeft === isRightToLeft)
      .reduce((sum, { text }) => sum + (text.match(/\p{L}/gu)?.length ?? 0), 0);
  const isRightToLeft = pieces.some((piece) => piece.isRightToLeft) && letters(true) > letters(false);
  const ordered = withoutDoubledText(pieces).toSorted((one, other) =>
    isRightToLeft ? other.x - one.x : one.x - other.x,
  );
  const height = Math.max(...pieces.map((piece) => piece.height));
  const segments: { text: string; y: number; left: number; right: number }[] = [];
  for (const piece of ordered) {
    const last = segments.at(-1);
    const right = piece.x + piece.width;
    const gap = last === undefined ? Infinity : isRightToLeft ? last.left - right : piece.x - last.right;
    if (last === undefined || gap > WIDE_GAP * height)
      segments.push({ text: piece.text.trim(), y: piece.y, left: piece.x, right });
    else {
      const isApart = gap > SPACE * height || (piece.hasSpace && gap > -0.5 * height) || /^\s/.test(piece.text);
      const joined = isApart && !last.text.endsWith(' ') ? `${last.text} ` : last.text;
      last.text = joined + (isApart ? piece.text.trimStart() : piece.text);
      last.left = Math.min(last.left, piece.x);
      last.right = Math.max(last.right, right);
    }
  }
  return { y: pieces[0]!.y, height, isRightToLeft, segments };
}

/** Matches what stands before an item of a list. Symbol fonts have their bullets in the private use area. */
const BULLET = /^[•◦▪▫●○■□‣⁃∙·*–-]$|^[\ue000-\uf8ff]$/;
const LABEL = /^\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)]$/i;

/** Returns the text of a line. A wide gap becomes ` | `, as between the cells of a table. */
export function lineText(line: Line): string {
  return joinCells(line.segments.map(({ text }) => text.trim()));
}

/** Joins the cells of a row, or the label of a list's item and the item. */
export function joinCells(cells: readonly string[]): string {
  const [first = '', second, ...rest] = cells;
  if (second === undefined) return first;
  if (BULLET.test(first)) return [`• ${second}`, ...rest].join(' | ');
  if (LABEL.test(first)) return [`${first} ${second}`, ...rest].join(' | ');
  return cells.join(' | ');
}
