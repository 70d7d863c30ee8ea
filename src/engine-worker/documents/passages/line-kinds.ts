import { TableTally } from './table-tally.ts';

/** A line with more characters than this is no heading. */
const LONGEST_HEADING = 160;

interface Heading {
  /** From 1 for the outermost. */
  readonly level: number;
  readonly title: string;
}

/** Returns the heading that a line is, as Markdown marks it; else null. */
export function markedHeading(line: string): Heading | null {
  if (line.length > LONGEST_HEADING) return null;
  const marked = /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*\s*$/.exec(line);
  return marked === null || marked[2] === '' ? null : { level: marked[1]!.length, title: marked[2]! };
}

/** Returns the heading that a paragraph of one line is by its number of several parts, as "2.4 Partitions"; else null. */
export function numberedHeading(line: string): Heading | null {
  if (line.length > LONGEST_HEADING) return null;
  const numbered = /^(\d+(?:\.\d+)+)\.?[ \t]+\p{L}.*(?<![.!?:;,]\s*)$/u.exec(line);
  return numbered === null ? null : { level: numbered[1]!.split('.').length, title: line.trim() };
}

/** Marks that underline headings in plain text, from the outermost level to the innermost, by their usual order. */
const UNDERLINES = '=-~^"';

/**
 * Returns the level of the heading that a line is because of the line below it; null if it is none. The line below may
 * underline it, or be the indented first line of a section of a manual page, whose heading is in capital letters.
 */
export function headingAbove(line: string, below: string): number | null {
  if (line.length > LONGEST_HEADING || below.length > LONGEST_HEADING) return null;
  const underline = /^([-=~^"*+#])\1{2,}\s*$/.exec(below);
  if (underline !== null) {
    const level = UNDERLINES.indexOf(underline[1]!) + 1;
    return level === 0 ? 1 : level;
  }
  return /^\p{Lu}[\p{Lu}\p{N}\p{M} ,()/'’-]*\s*$/u.test(line) && /^(?: {2,}|\t)\s*\S/.test(below) ? 1 : null;
}

/** Returns the marks that will close the fenced code that a line opens; empty if it opens none. */
export function fenceOf(line: string): string {
  return /^\s{0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(line.slice(0, LONGEST_HEADING))?.[1] ?? '';
}

/** Whether a line is a row of a table, with bars between its cells. */
export function isRow(line: string): boolean {
  return line.includes(' | ') || /^\s*\|.*\|\s*$/.test(line);
}

/** Whether a line tells Excel what separates the cells of the lines below. */
export function isSeparatorDeclaration(line: string): boolean {
  return /^"?sep=[^ ]"?\s*$/i.test(line);
}

/** Whether a row separates the header of a table from its body. */
export function isSeparatorRow(line: string): boolean {
  return line.includes('--') && /^[\s|:+=-]*$/.test(line);
}

/** Matches a cell with a number, a date or an amount. */
const NUMBER = /^[^\p{L}]*\p{N}[^\p{L}]*$/u;

/** Matches a cell with a year, which often names a column. */
const YEAR = /^\s*(?:1[89]|20)\d\d\s*$/;

/**
 * Whether a row belongs to a table with this header that an empty line or the end of a page divides: it has numbers, which
 * the header has not, and no more cells. Years are numbers only if there is one of them.
 */
export function isDataBelow(header: string, row: string): boolean {
  const [names, cells] = [header.split('\n', 1)[0]!.split('|'), row.split('|')];
  const [known, found] = [numbersOf(names), numbersOf(cells)];
  const hasNumbers = found.others > 0 || (found.years === 1 && known.years === 0);
  return isRow(row) && cells.length <= names.length && hasNumbers && known.others === 0;
}

function numbersOf(cells: readonly string[]): { readonly years: number; readonly others: number } {
  const numbers = cells.filter((cell) => NUMBER.test(cell));
  const years = numbers.filter((cell) => YEAR.test(cell)).length;
  return { years, others: numbers.length - years };
}

export function isListItem(line: string): boolean {
  return /^\s*(?:[-*+•◦▪–]|\(?(?:\d{1,4}|[a-zA-Z])[.)])\s+\S/.test(line);
}

/** What entries of a log begin with: a date or a time of day, possibly in brackets. */
const LOG_ENTRY =
  /^\W{0,3}(?:\d{4}-\d\d-\d\d|\d\d?:\d\d(?::\d\d)?\b|\p{Lu}\p{L}{2} +\d{1,2} \d\d:|\d\d?[./]\w{2,3}[./]\d{2,4})/u;

/** If all lines of a paragraph have fewer characters than this, they were not wrapped to fit a page. */
const SHORT_LINE = 40;

/** Fewer lines may be short by chance. */
const FEWEST_LINES = 3;

/** Counts, over the lines of a paragraph, what shows that they are rows of a table, entries of a log, or wrapped text. */
export class LineTally {
  #lines = 0;
  #logEntries = 0;
  #longest = 0;
  readonly #table = new TableTally();

  add(line: string): void {
    this.#lines += 1;
    this.#longest = Math.max(this.#longest, line.length);
    if (LOG_ENTRY.test(line)) this.#logEntries += 1;
    this.#table.add(line);
  }

  get isTable(): boolean {
    return this.#table.isTable;
  }

  /** Whether each line stands for itself: an entry of a log, or of a list without marks, or a line of a poem. */
  get isByLine(): boolean {
    if (this.#lines >= FEWEST_LINES && this.#longest < SHORT_LINE) return true;
    return this.#logEntries > 1 && this.#logEntries * 2 >= this.#lines;
  }
}
