import { lineText, type Line } from './page-lines.ts';

/** Lines at the top and at the bottom of a page that may be repeated on each page. */
const MARGIN_LINES = 2;

/** Headers and footers stand in this share of the page's height, at its top and bottom. */
const MARGIN = 0.15;

/** The lines of a page. */
export interface PageLines {
  readonly lines: readonly Line[];
  /** Height of the page in points. */
  readonly height: number;
}

/**
 * Removes headers and footers from all pages but the first that has them. Lines that differ only in numbers, such as
 * those with the number of the page, count as the same.
 */
export function withoutRepeatedLines(pages: readonly PageLines[]): readonly (readonly Line[])[] {
  const counts = new Map<string, number>();
  for (const page of pages) {
    for (const key of new Set(marginLines(page).map(keyOf))) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const seen = new Set<string>();
  return pages.map((page) => {
    const repeated = new Set(
      marginLines(page).filter((line) => isRepeated(counts.get(keyOf(line)) ?? 0, pages.length)),
    );
    return page.lines.filter((line) => {
      if (!repeated.has(line)) return true;
      const isNew = !seen.has(keyOf(line));
      seen.add(keyOf(line));
      return isNew;
    });
  });
}

function isRepeated(count: number, pages: number): boolean {
  return count >= 3 || (count === 2 && pages === 2);
}

function marginLines({ lines, height }: PageLines): readonly Line[] {
  const top = lines.slice(0, MARGIN_LINES).filter(({ y }) => y < MARGIN * height);
  const bottom = lines.slice(-MARGIN_LINES).filter(({ y }) => y > (1 - MARGIN) * height);
  return [...new Set([...top, ...bottom])];
}

function keyOf(line: Line): string {
  return lineText(line).replace(/\d+/g, '0');
}
