/** Marks between the cells of a table without bars, and the fewest of each in a row, so that running text with commas is none. */
const FEWEST_MARKS = { '\t': 1, ';': 2, ',': 2 } as const;

type CellMark = keyof typeof FEWEST_MARKS;
type Counts = Record<CellMark, number>;

const MARKS = Object.keys(FEWEST_MARKS) as readonly CellMark[];

/** The fewest rows of such a table. */
const FEWEST_ROWS = 3;

/** A row with a quoted cell of more lines than this is none. */
const LONGEST_ROW = 50;

/** Counts, over the lines of a paragraph, what shows that they are rows of a table. */
export class TableTally {
  readonly #trimmed = new EqualCounts();
  readonly #whole = new EqualCounts();
  readonly #quoted = new EqualCounts();
  readonly #row = new QuotedRow();
  /** Whether all lines begin with a tab, which then stands for no empty cell. */
  #isIndented = true;

  add(line: string): void {
    this.#isIndented &&= line.startsWith('\t');
    if (this.#trimmed.isOpen) this.#trimmed.add(countsOf(line.trim()));
    if (this.#whole.isOpen) this.#whole.add(countsOf(line));
    const counts = this.#quoted.isOpen ? this.#row.add(line) : null;
    if (counts !== null) this.#quoted.add(counts);
  }

  get isTable(): boolean {
    return this.#trimmed.isTable || (!this.#isIndented && (this.#whole.isTable || this.#quoted.isTable));
  }
}

/** The marks of which each row has as many as the first one. */
class EqualCounts {
  #rows = 0;
  readonly #first = new Map<CellMark, number>();

  add(counts: Counts): void {
    for (const mark of MARKS) {
      const isFirst = this.#rows === 0 && counts[mark] >= FEWEST_MARKS[mark];
      if (isFirst) this.#first.set(mark, counts[mark]);
      else if (this.#first.get(mark) !== counts[mark]) this.#first.delete(mark);
    }
    this.#rows += 1;
  }

  /** Whether the rows may be those of a table. */
  get isOpen(): boolean {
    return this.#rows === 0 || this.#first.size > 0;
  }

  get isTable(): boolean {
    return this.#rows >= FEWEST_ROWS && this.#first.size > 0;
  }
}

/** A row whose cells may be in quotation marks, in which the marks between cells and the ends of lines mean nothing. */
class QuotedRow {
  #counts: Counts = { '\t': 0, ';': 0, ',': 0 };
  #lines = 0;
  #isQuoted = false;

  /** Adds a line. @returns the counts of the row that it ends; null if the row goes on. */
  add(line: string): Counts | null {
    if (this.#lines === 0) this.#counts = { '\t': 0, ';': 0, ',': 0 };
    this.#lines += 1;
    let isCellStart = !this.#isQuoted;
    for (let at = 0; at < line.length; at += 1) {
      const sign = line[at]!;
      if (sign === '"' && this.#isQuoted && line[at + 1] === '"') at += 1;
      else if (sign === '"' && (this.#isQuoted || isCellStart)) this.#isQuoted = !this.#isQuoted;
      const isMark = !this.#isQuoted && (sign === ',' || sign === ';' || sign === '\t');
      if (isMark) this.#counts[sign] += 1;
      isCellStart = isMark;
    }
    if (this.#isQuoted && this.#lines < LONGEST_ROW) return null;
    this.#lines = 0;
    this.#isQuoted = false;
    return this.#counts;
  }
}

function countsOf(line: string): Counts {
  return { '\t': countOf('\t', line), ';': countOf(';', line), ',': countOf(',', line) };
}

function countOf(mark: string, line: string): number {
  let count = 0;
  for (let at = line.indexOf(mark); at !== -1; at = line.indexOf(mark, at + 1)) count += 1;
  return count;
}
