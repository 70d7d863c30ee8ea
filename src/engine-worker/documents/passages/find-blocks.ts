import { isSpace } from './estimate-tokens.ts';
import {
  headingAbove,
  markedHeading,
  numberedHeading,
  fenceOf,
  isRow,
  isSeparatorDeclaration,
  isSeparatorRow,
  isDataBelow,
  isListItem,
  LineTally,
} from './line-kinds.ts';

/** A part of a document that is one thing: a paragraph, an item of a list, a table. */
export type Block =
  /** `level` is 1 for the outermost heading; `title` its words. */
  | { readonly kind: 'heading'; readonly start: number; readonly end: number; readonly level: number; title: string }
  /** Running text; a line has no meaning of its own. */
  | { readonly kind: 'text'; readonly start: number; readonly end: number }
  /** Code, entries of a log, short lines: each line stands for itself. */
  | { readonly kind: 'lines'; readonly start: number; readonly end: number }
  /** Rows of a table, one a line. `header` are the lines that name its columns, which the block may begin with. */
  | { readonly kind: 'table'; readonly start: number; readonly end: number; readonly header: string }
  /** A form feed: what follows is on the next page. */
  | { readonly kind: 'page'; readonly start: number; readonly end: number };

/** A block with more characters than this ends with the line, so that the first passages need not wait for the last line. */
const LONG_BLOCK = 100_000;

/** A header with more characters than this is not repeated. */
const LONGEST_HEADER = 400;

/** A block whose last line may still follow. */
interface OpenBlock {
  readonly kind: 'text' | 'item' | 'code' | 'rows';
  readonly start: number;
  end: number;
  lines: number;
  /** Offset after the lines that may be the header of a table. */
  headerEnd: number;
  /** Header of the table that this block continues, else empty. */
  header: string;
  readonly tally: LineTally;
}

/**
 * Finds the blocks of a text: headings (of Markdown, underlined, numbered, or of manual pages), paragraphs, items of
 * lists, fenced code, tables and pages. Every character that is not white space is in exactly one block, except form feeds.
 * The blocks come in their order, and the time is linear.
 */
export function* findBlocks(text: string): Generator<Block, undefined> {
  /** Header of the table above, or a row alone; empty if something else follows it. */
  let header = '';
  /** Whether it is that of a table, which may go on on the next page. A row alone may be the footer of its page. */
  let isOfTable = false;
  for (const block of separateBlocks(text)) {
    const { kind, start, end } = block;
    const line = lineAt(text, start);
    const hasOwnHeader = kind === 'table' && block.header.includes('\n');
    const mayBeRest = header !== '' && !hasOwnHeader && (kind === 'table' || kind === 'text');
    const shown: Block = mayBeRest && isDataBelow(header, line) ? { kind: 'table', start, end, header } : block;
    yield shown;
    const isLoneRow = kind === 'text' && isRow(line) && line.length === end - start;
    if (shown.kind === 'table') [header, isOfTable] = [shown.header, true];
    else if (kind !== 'page' || !isOfTable) [header, isOfTable] = [isLoneRow ? line : '', false];
  }
}

/** Returns the beginning of a line. */
function lineAt(text: string, start: number): string {
  const [line = ''] = text.slice(start, start + LONGEST_HEADER).split('\n', 1);
  return line;
}

/** Finds the blocks of a text, each as if it were alone. */
function* separateBlocks(text: string): Generator<Block, undefined> {
  let open: OpenBlock | null = null;
  /** The marks that close the fenced code that the line is in; empty outside of it. */
  let fence = '';
  let hasTitle = false;
  /** A line below rows that has no cells. It is one of them if another row follows, such as the name of a group. */
  let below: Line | null = null;
  for (const next of linesOf(text)) {
    const { start, end, endsPage } = next;
    const line = text.slice(start, end);
    const isBlank = end === start || isBlankRange(text, start, end);
    if (below !== null && open !== null && (!isRow(line) || markedHeading(line) !== null || fenceOf(line) !== '')) {
      yield close(text, open);
      extend((open = begin('text', below.start)), text.slice(below.start, below.end), below.end);
    }
    below = null;
    const isContinued: boolean = open !== null && open.end - open.start > LONG_BLOCK;
    if (isContinued && open !== null) {
      const closed = close(text, open);
      yield closed;
      open = isBlank && fence === '' ? null : begin(open.kind, start, closed.kind === 'table' ? closed.header : '');
    }
    if (fence !== '') {
      open ??= begin('code', start);
      extend(open, line, end);
      if (line.trim() === fence) {
        yield close(text, open);
        [open, fence] = [null, ''];
      }
    } else if (isBlank) {
      if (open !== null) yield close(text, open);
      open = null;
    } else {
      const opening = fenceOf(line);
      // A later line such as "# apt update" is a command at the prompt of the superuser, or a comment.
      const marked = markedHeading(line);
      const heading: typeof marked =
        marked?.level === 1 && hasTitle && /^[\p{Ll}/.~$-]/u.test(marked.title) ? null : marked;
      hasTitle ||= heading !== null;
      const above: number | null =
        open?.kind === 'text' && open.lines === 1 ? headingAbove(text.slice(open.start, open.end), line) : null;
      if (above !== null && open !== null) {
        const isUnderline = !isSpace(line.charCodeAt(0));
        const title = text.slice(open.start, open.end).trim();
        yield { kind: 'heading', start: open.start, end: isUnderline ? end : open.end, level: above, title };
        open = null;
        if (!isUnderline) extend((open = begin('text', start)), line, end);
      } else if (heading !== null) {
        if (open !== null) yield close(text, open);
        open = null;
        yield { kind: 'heading', start, end, ...heading };
      } else {
        const kind = opening !== '' ? 'code' : isRow(line) ? 'rows' : isListItem(line) ? 'item' : 'text';
        if (kind === 'text' && open?.kind === 'rows' && !endsPage) {
          below = next;
          continue;
        }
        const continues: boolean =
          open !== null && (kind === 'text' ? open.kind !== 'rows' : kind === 'rows' && open.kind === 'rows');
        if (!continues) {
          if (open !== null) yield close(text, open);
          open = begin(kind, start);
        }
        extend(open!, line, end);
        fence = opening;
        if (start === 0 && isSeparatorDeclaration(line)) {
          yield { kind: 'text', start, end };
          open = null;
        }
      }
    }
    if (endsPage) {
      if (open !== null) yield close(text, open);
      open = null;
      yield { kind: 'page', start: end, end: end + 1 };
    }
  }
  if (open !== null) yield close(text, open);
  if (below !== null) yield { kind: 'text', start: below.start, end: below.end };
}

interface Line {
  readonly start: number;
  /** Offset of its line feed or form feed, or the text's length. */
  readonly end: number;
  readonly endsPage: boolean;
}

function* linesOf(text: string): Generator<Line, undefined> {
  // The next mark of each kind is looked for once only, or a text with one kind would be read to its end for each line.
  let [formFeed, lineFeed] = [-1, -1];
  for (let start = 0; start < text.length;) {
    if (formFeed < start) formFeed = placeOf('\f', text, start);
    if (lineFeed < start) lineFeed = placeOf('\n', text, start);
    const end = Math.min(formFeed, lineFeed);
    yield { start, end, endsPage: formFeed < lineFeed };
    start = end + 1;
  }
}

function placeOf(mark: string, text: string, start: number): number {
  const place = text.indexOf(mark, start);
  return place === -1 ? text.length : place;
}

function isBlankRange(text: string, start: number, end: number): boolean {
  for (let index = start; index < end; index += 1) if (!isSpace(text.charCodeAt(index))) return false;
  return true;
}

function begin(kind: OpenBlock['kind'], start: number, header = ''): OpenBlock {
  return { kind, start, end: start, lines: 0, headerEnd: start, header, tally: new LineTally() };
}

function extend(open: OpenBlock, line: string, end: number): void {
  open.end = end;
  open.lines += 1;
  if (open.lines === 1 || (open.lines === 2 && isSeparatorRow(line))) open.headerEnd = end;
  if (open.kind === 'text') open.tally.add(line);
}

function close(text: string, { kind, start, end, lines, headerEnd, header, tally }: OpenBlock): Block {
  const table = (): Block => {
    const own = headerEnd - start > LONGEST_HEADER ? '' : text.slice(start, headerEnd).trim();
    return { kind: 'table', start, end, header: header === '' ? own : header };
  };
  if (kind === 'code') return { kind: 'lines', start, end };
  if (kind === 'rows') return lines > 1 || header !== '' ? table() : { kind: 'text', start, end };
  if (kind === 'text') {
    if (tally.isTable || header !== '') return table();
    if (tally.isByLine) return { kind: 'lines', start, end };
    const numbered = lines === 1 ? numberedHeading(text.slice(start, end)) : null;
    if (numbered !== null) return { kind: 'heading', start, end, ...numbered };
  }
  return { kind: 'text', start, end };
}
