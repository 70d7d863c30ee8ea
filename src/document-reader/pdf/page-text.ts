import { joinCells, lineText, type Line, type Segment } from './page-lines.ts';

/** Width of the gap between columns, in heights of the text. */
const GUTTER = 0.9;

/** Columns within columns that are looked for. */
const MAX_DEPTH = 3;

/** More columns than this are a table. */
const MAX_COLUMNS = 4;

/** A distance between base lines above this, in heights of the text, separates paragraphs. */
const PARAGRAPH = 1.75;

/** A distance between base lines above this, in heights of the text, separates parts with columns of their own. */
const SECTION = 3.5;

interface Interval {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the text of a page in the order of reading: columns of running text one after the other, tables row by row.
 * @param lines From top to bottom.
 */
export function pageText(lines: readonly Line[], depth = 0): string {
  if (lines.length === 0) return '';
  const parts = runsOf(lines).map((run) => runText(run.lines, run.gutters, depth));
  return parts.filter(Boolean).join('\n');
}

interface Run {
  readonly lines: readonly Line[];
  readonly gutters: readonly Interval[];
}

/** Splits a page into runs of lines that have gaps at the same places. */
function runsOf(lines: readonly Line[]): readonly Run[] {
  const heights = lines.map(({ height }) => height).toSorted((one, other) => one - other);
  const least = GUTTER * heights[Math.floor(heights.length / 2)]!;
  const segments = lines.flatMap((line) => line.segments);
  const page: Interval = {
    from: segments.reduce((least, { left }) => Math.min(least, left), Infinity),
    to: segments.reduce((most, { right }) => Math.max(most, right), -Infinity),
  };
  const gapsIn = (line: Line, free: readonly Interval[]): readonly Interval[] =>
    line.segments.reduce(without, free).filter(({ from, to }) => to - from >= least);
  const runs: Run[] = [];
  let current: Line[] = [];
  let free: readonly Interval[] = [];
  const end = (): void => {
    const all = current.flatMap((line) => line.segments);
    const gutters = free.filter(
      ({ from, to }) => all.some(({ right }) => right <= from) && all.some(({ left }) => left >= to),
    );
    if (current.length > 0) runs.push({ lines: current, gutters });
    current = [];
  };
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1];
    const isApart = before !== undefined && line.y - before.y > SECTION * Math.max(line.height, before.height);
    const gaps = gapsIn(line, free);
    if (isApart || gaps.length === 0) end();
    free = current.length === 0 ? gapsIn(line, [page]) : gaps;
    current.push(line);
  }
  end();
  return joined(runs);
}

/** Joins neighbouring runs without columns. */
function joined(runs: readonly Run[]): readonly Run[] {
  const result: Run[] = [];
  for (const run of runs) {
    const last = result.at(-1);
    if (last !== undefined && last.gutters.length === 0 && run.gutters.length === 0) {
      result[result.length - 1] = { lines: [...last.lines, ...run.lines], gutters: [] };
    } else result.push(run);
  }
  return result;
}

function without(intervals: readonly Interval[], { left, right }: Segment): Interval[] {
  return intervals.flatMap((interval) => {
    if (right <= interval.from || left >= interval.to) return [interval];
    return [
      { from: interval.from, to: left },
      { from: right, to: interval.to },
    ].filter(({ from, to }) => to > from);
  });
}

function runText(lines: readonly Line[], gutters: readonly Interval[], depth: number): string {
  if (gutters.length === 0) return paragraphs(lines, lineText);
  const columns = columnsOf(lines, gutters);
  if (areStacked(columns)) return paragraphs(lines, lineText);
  const ordered = areRightToLeft(lines) ? columns.toReversed() : columns;
  if (depth < MAX_DEPTH && columns.length <= MAX_COLUMNS && areColumnsOfText(columns))
    return ordered.map((column) => pageText(column, depth + 1)).join('\n\n');
  return tableText(lines, ordered);
}

/** Splits lines at gutters. Each column has only the lines that have text in it. */
function columnsOf(lines: readonly Line[], gutters: readonly Interval[]): readonly (readonly Line[])[] {
  const borders = gutters.map(({ from, to }) => (from + to) / 2).toSorted((one, other) => one - other);
  return Array.from({ length: borders.length + 1 }, (_, index) => {
    const [from, to] = [borders[index - 1] ?? -Infinity, borders[index] ?? Infinity];
    return lines.flatMap((line) => {
      const segments = line.segments.filter(({ left, right }) => (left + right) / 2 > from && (left + right) / 2 <= to);
      return segments.length === 0 ? [] : [{ ...line, segments }];
    });
  });
}

/** Whether each column ends above the next one, as a title in the middle does above a heading at the left. */
function areStacked(columns: readonly (readonly Line[])[]): boolean {
  const filled = columns.filter((column) => column.length > 0).toSorted((one, other) => one[0]!.y - other[0]!.y);
  return filled.every((column, index) => index === 0 || filled[index - 1]!.at(-1)!.y < column[0]!.y);
}

/**
 * Whether columns are read one after the other. Running text fills its column. Cells are short, and stand beside cells
 * of the same row.
 */
function areColumnsOfText(columns: readonly (readonly Line[])[]): boolean {
  return (
    columns.every(isRunningText) ||
    columns.some((column, index) => !hasRowsOf(column, columns[index - 1] ?? columns[1]!))
  );
}

function isRunningText(column: readonly Line[]): boolean {
  if (column.length < 3) return false;
  const widths = column.map(widthOf).toSorted((one, other) => one - other);
  const words = column.reduce((sum, line) => sum + lineText(line).split(/\s+/).length, 0) / column.length;
  // Chinese and Japanese have no spaces.
  const letters = column.reduce((sum, line) => sum + lineText(line).length, 0) / column.length;
  return widths[Math.floor(widths.length / 2)]! > 0.55 * widths.at(-1)! && (words >= 2.5 || letters >= 12);
}

function widthOf({ segments }: Line): number {
  return Math.max(...segments.map(({ right }) => right)) - Math.min(...segments.map(({ left }) => left));
}

/** Whether at least half of the lines of the shorter column have a line of the other one beside them. */
function hasRowsOf(column: readonly Line[], other: readonly Line[]): boolean {
  const [short, long] = column.length < other.length ? [column, other] : [other, column];
  const rows = new Set(long.map((line) => Math.round(placeOf(line))));
  const beside = short.map(placeOf).filter((y) => [-1, 0, 1].some((step) => rows.has(Math.round(y) + step)));
  return beside.length >= short.length / 2;
}

/** Writes a table row by row. A line whose first cell is empty continues the row above it. */
function tableText(lines: readonly Line[], columns: readonly (readonly Line[])[]): string {
  const rows: { cells: string[]; y: number; height: number }[] = [];
  for (const { y, height } of lines) {
    const cells = columns.map((column) => {
      const line = column.find((one) => one.y === y);
      return line === undefined ? '' : lineText(line);
    });
    const last = rows.at(-1);
    if (last !== undefined && cells[0] === '' && y - last.y < PARAGRAPH * height) {
      last.cells = last.cells.map((cell, index) => `${cell} ${cells[index]}`.trim());
      last.y = y;
    } else rows.push({ cells, y, height });
  }
  return rows
    .map(({ cells }) => {
      while (cells.at(-1) === '') cells.pop();
      return joinCells(cells);
    })
    .join('\n');
}

function paragraphs(lines: readonly Line[], textOf: (line: Line) => string): string {
  let text = '';
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1];
    const isNew = before !== undefined && line.y - before.y > PARAGRAPH * Math.max(line.height, before.height);
    if (before !== undefined) text += isNew ? '\n\n' : '\n';
    text += textOf(line);
  }
  // A word that was divided at the end of a line.
  return text.replace(/\u00ad\n/g, '');
}

/** Returns the base line of a line's own text, which may differ a little from that of the line on the whole page. */
function placeOf({ segments, y }: Line): number {
  return segments[0]?.y ?? y;
}

/** Whether most lines are of a right-to-left script. Lines of numbers alone count for neither direction. */
function areRightToLeft(lines: readonly Line[]): boolean {
  const count = lines.filter((line) => line.isRightToLeft).length;
  if (count === 0) return false;
  return count > lines.filter((line) => !line.isRightToLeft && /\p{L}/u.test(lineText(line))).length;
}
