import { lineText, type Line } from './page-lines.ts';

/** Lines at the top and at the bottom of a page that may be repeated on each page. */
const MARGIN_LINES = 2;

/** Headers and footers stand in this share of the page's height, at its top and bottom. */
const MARGIN = 0.15;

/** A line with more numbers than this has no number of the page that is looked for. */
const MOST_NUMBERS = 8;

/** Matches dates, amounts and times as a whole, and other numbers. */
const NUMBER = /\d+([-/.])\d+\1\d+|\d+(?:[.,:'’]\d+)*/g;

/** Matches a text without words, such as `- 2 -`, and one with a word for page. */
const PAGE_NUMBER =
  /^\P{L}*$|(?<!\p{L})(?:p|pp|pg|pages?|p[aá]g|p[aá]gina|seite|s|str|strana|strona|sid[ae]|sivu|oldal|sayfa|стр|страница|صفحة)(?!\p{L})|[頁页쪽]|ページ/iu;

/** The lines of a page. */
export interface PageLines {
  readonly lines: readonly Line[];
  /** Height of the page in points. */
  readonly height: number;
  /** Number of the page in the file. */
  readonly number: number;
}

/**
 * Removes headers and footers from all pages but the first that has them. Their numbers are the same on each page, or
 * one of them counts with the pages. Lines with other numbers are rows of a table or sums, which stay.
 */
export function withoutRepeatedLines(pages: readonly PageLines[]): readonly (readonly Line[])[] {
  const keys = pages.map((page) => marginKeys(page));
  const counts = new Map<string, number>();
  for (const page of keys) {
    for (const key of new Set([...page.values()].flat())) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const seen = new Set<string>();
  return pages.map(({ lines }, index) =>
    lines.filter((line) => {
      const repeated = (keys[index]!.get(line) ?? []).filter((key) => isRepeated(counts.get(key)!, pages.length));
      const isNew = !repeated.some((key) => seen.has(key));
      for (const key of repeated) seen.add(key);
      return isNew;
    }),
  );
}

function isRepeated(count: number, pages: number): boolean {
  return count >= 3 || (count === 2 && pages === 2);
}

function marginKeys({ lines, height, number }: PageLines): ReadonlyMap<Line, readonly string[]> {
  const top = lines.slice(0, MARGIN_LINES).filter(({ y }) => y < MARGIN * height);
  const bottom = lines.slice(-MARGIN_LINES).filter(({ y }) => y > (1 - MARGIN) * height);
  return new Map([
    ...top.map((line) => [line, keysOf(line, number, true)] as const),
    ...bottom.map((line) => [line, keysOf(line, number, false)] as const),
  ]);
}

/**
 * Returns what is the same on pages that repeat a line: its text and, for each number that may be that of the page, the
 * text with the difference between the two.
 */
function keysOf(line: Line, page: number, isTop: boolean): readonly string[] {
  const text = lineText(line);
  // At the top, a number within words is more often that of a step or a day, which a title counts.
  if (isTop && !line.segments.some((segment) => /\d/.test(segment.text) && PAGE_NUMBER.test(segment.text)))
    return [text];
  const numbers = [...text.matchAll(NUMBER)].filter(([number]) => /^\d{1,6}$/.test(number));
  if (numbers.length > MOST_NUMBERS) return [text];
  return [
    text,
    ...numbers.map(
      ({ 0: number, index }) =>
        `${text.slice(0, index)}\0${Number(number) - page}\0${text.slice(index + number.length)}`,
    ),
  ];
}
