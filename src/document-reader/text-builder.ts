import type { DocumentText, LeftOutKind } from '../shared/documents/document-reading.ts';

/** Tables nested deeper than this are read as plain text. */
const MAX_NESTED_CELLS = 8;

/** Empty cells further right in a row are left out, so that a malicious table stays small. */
const MOST_EMPTY_CELLS = 20_000;

/** A cell with several paragraphs and more characters than this is part of a page's layout, not of a table. */
const LONGEST_CELL = 400;

/** White space between two texts. A larger gap replaces a smaller one. */
type Gap = '' | ' ' | '\n' | '\n\n';

interface Frame {
  text: string;
  gap: Gap;
}

interface Row {
  readonly cells: string[];
  /** Number of empty cells after them, which are left out unless another one follows. */
  empty: number;
}

/**
 * Collects the text of a document in reading order. Paragraphs are separated by an empty line. A row of a table
 * becomes one line, with ` | ` between cells.
 */
export class TextBuilder {
  readonly #most: number;
  readonly #marksPages: boolean;
  readonly #pages: string[] = [];
  #length = 0;
  #ignoredCells = 0;
  #isCut = false;
  /** The document, and inside it the cells and captured texts that are open. */
  readonly #frames: Frame[] = [{ text: '', gap: '' }];
  readonly #rows: Row[] = [];
  readonly #leftOut = new Map<LeftOutKind, number>();

  /**
   * @param most Number of characters after which {@link isFull} is true.
   * @param marksPages Whether a form feed stands after each page, also after one without text. Default: an empty line.
   */
  constructor(most: number, marksPages = false) {
    this.#most = most;
    this.#marksPages = marksPages;
  }

  /** True if there is no room for further text. Readers then stop. */
  get isFull(): boolean {
    return this.#length >= this.#most;
  }

  /** Adds text as it is. */
  text(value: string): void {
    if (value === '') return;
    this.#length += value.length;
    this.#append(value);
  }

  /** Adds text in which white space separates words only, as in HTML. */
  words(value: string): void {
    const frame = this.#frame;
    for (const [index, word] of value.split(/[ \t\n\r\f]+/).entries()) {
      if (index > 0 && frame.gap === '') frame.gap = ' ';
      this.text(word);
    }
  }

  /** Continues on a new line. */
  line(): void {
    if (this.#frame.gap !== '\n\n') this.#frame.gap = '\n';
  }

  /** Continues with a new paragraph. */
  paragraph(): void {
    this.#frame.gap = '\n\n';
  }

  /** Ends a page. What is added after the last page belongs to it. */
  endPage(): void {
    // A damaged document may have a page within a cell.
    if (this.#frames.length > 1) return this.paragraph();
    this.#pages.push(this.#frame.text);
    Object.assign(this.#frame, { text: '', gap: '' });
  }

  startRow(): void {
    if (this.#ignoredCells === 0) this.#rows.push({ cells: [], empty: 0 });
    else this.line();
  }

  startCell(): void {
    if (this.#ignoredCells > 0 || this.#frames.length > MAX_NESTED_CELLS || this.#rows.length === 0) {
      this.#ignoredCells += 1;
      return;
    }
    this.#frames.push({ text: '', gap: '' });
  }

  /**
   * @param copies How often the cell stands in its row. Empty cells are not repeated.
   * @returns whether it is a cell with text.
   */
  endCell(copies = 1): boolean {
    if (this.#ignoredCells > 0) {
      this.#ignoredCells -= 1;
      this.words(' ');
    } else if (this.#frames.length > 1) {
      const { text } = this.#frames.pop()!;
      const count = text === '' ? Math.min(copies, 30) : this.#count(text, copies);
      for (let copy = 0; copy < count; copy += 1) this.#addCell(text);
      return text.trim() !== '';
    }
    return false;
  }

  /** Adds empty cells. */
  emptyCells(count: number): void {
    const row = this.#rows.at(-1);
    if (this.#ignoredCells === 0 && row !== undefined) row.empty += Math.max(0, count);
  }

  #addCell(text: string): void {
    if (text.trim() === '') return this.emptyCells(1);
    const row = this.#rows.at(-1);
    if (row === undefined) return;
    for (; row.empty > 0 && row.cells.length < MOST_EMPTY_CELLS; row.empty -= 1) row.cells.push('');
    row.empty = 0;
    row.cells.push(text);
  }

  /**
   * @param copies How often the row stands in its table.
   * @param isData Whether it is a row of a spreadsheet, which is never one of a page's layout. An empty one ends a table.
   */
  endRow(copies = 1, isData = false): void {
    if (this.#ignoredCells > 0) return;
    const { cells = [] } = this.#rows.pop() ?? {};
    if (cells.length === 0) {
      if (isData) this.paragraph();
      return;
    }
    const isLayout = !isData && cells.some((cell) => cell.length > LONGEST_CELL && cell.includes('\n\n'));
    if (cells.length === 1 || isLayout) {
      for (const cell of cells) {
        this.line();
        if (cell.includes('\n')) this.paragraph();
        this.#append(cell);
      }
    } else {
      const text = cells.map(onOneLine).join(' | ');
      // What separates the cells counts as well, because cells that others cover cost a malicious document nothing.
      this.#length += ' | '.length * (cells.length - 1);
      const count = this.#count(text, copies);
      for (let copy = 0; copy < count; copy += 1) {
        this.line();
        this.#append(text);
      }
    }
    this.line();
  }

  /** Collects the following text apart, until {@link endCapture}. */
  startCapture(): void {
    this.#frames.push({ text: '', gap: '' });
  }

  /** Returns the text since {@link startCapture}. */
  endCapture(): string {
    return this.#frames.length > 1 ? this.#frames.pop()!.text : '';
  }

  /** Adds a text that {@link endCapture} returned, or one made of it. Its characters are counted already. */
  again(text: string): void {
    this.#append(text);
  }

  /** Counts a part of the document that has no text. */
  leave(kind: LeftOutKind, count = 1): void {
    if (count > 0) this.#leftOut.set(kind, (this.#leftOut.get(kind) ?? 0) + count);
  }

  /** Notes that the document has more text than is read. */
  cut(): void {
    this.#isCut = true;
  }

  /** Returns the collected text, without white space at the end of lines and without more than one empty line. */
  finish(): DocumentText {
    while (this.#frames.length > 1) {
      const { text } = this.#frames.pop()!;
      this.line();
      this.#append(text);
    }
    const text = this.#wholeText();
    return {
      text: text.slice(0, this.#most),
      leftOut: [...this.#leftOut].map(([kind, count]) => ({ kind, count })),
      isCut: this.#isCut || this.isFull || text.length > this.#most,
    };
  }

  #wholeText(): string {
    const pages = this.#pages.map(withoutWhiteSpace);
    const last = joinParagraphs([pages.pop() ?? '', withoutWhiteSpace(this.#frame.text)]);
    const all = [...pages, last];
    if (!this.#marksPages || this.#pages.length === 0) return joinParagraphs(all);
    // Where no page has text, there is none to mark.
    return all.every((page) => page === '') ? '' : all.map((page) => `${page.replaceAll('\f', ' ')}\f`).join('');
  }

  /** Counts the characters of further copies of a text, and returns how many copies there is room for, at least one. */
  #count(text: string, copies: number): number {
    const room = Math.max(0, this.#most - this.#length);
    const count = Math.min(copies, 1 + Math.ceil(room / Math.max(text.length, 1)));
    this.#length += text.length * (count - 1);
    return count;
  }

  get #frame(): Frame {
    return this.#frames.at(-1)!;
  }

  #append(value: string): void {
    if (value === '') return;
    const frame = this.#frame;
    if (frame.text !== '') frame.text += frame.gap;
    frame.text += value;
    frame.gap = '';
  }
}

function joinParagraphs(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}

/** Removes the white space at the ends of lines and of the text, and all empty lines but one in a row. */
function withoutWhiteSpace(text: string): string {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const trimmed = line.trimEnd();
    if (trimmed !== '' || (lines.length > 0 && lines.at(-1) !== '')) lines.push(trimmed);
  }
  return lines.join('\n').trimEnd();
}

/** Joins the lines of a text with spaces. */
function onOneLine(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ');
}
