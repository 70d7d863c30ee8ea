/** Matches what a terminal does not show: colours, movements of the cursor, titles of the window. */
const SEQUENCES =
  // oxlint-disable-next-line no-control-regex
  /(?:\u001b\[|\u009b)([0-?]*)[ -/]*([@-~])|\u001b(?:[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])|([\r\n\b])|\u001b/g;

// oxlint-disable-next-line no-control-regex
const HAS_SEQUENCES = /\u001b[[\]]|\u009b\d/;

/** Lines above the last one that a program may still change. Programs with several progress bars do. */
const CHANGEABLE_LINES = 200;

/** A line with more characters is not changed at a place, but continued. */
const LONGEST_LINE = 2000;

/** Columns to the right of a line's end to which the cursor moves. */
const WIDEST_GAP = 200;

/** What remains of the output of a program. */
interface TerminalText {
  readonly text: string;
  /** Number of lines that were overwritten. */
  readonly overwritten: number;
}

/** Returns a text without colours, other control sequences and backspaces. */
export function withoutSequences(text: string): string {
  return text.replace(SEQUENCES, '$3').replaceAll('\b', '');
}

/**
 * Returns what a terminal shows of the output of a program: no colours, and of a line that was overwritten, such as a
 * progress bar, its last state.
 */
export function terminalText(source: string): TerminalText {
  const done: string[] = [];
  let lines: string[] = [''];
  let row = 0;
  let column = 0;
  let overwritten = 0;
  const write = (text: string): void => {
    if (text === '') return;
    const line = lines[row]!;
    const length = line.length > LONGEST_LINE ? line.length : columnsOf(line);
    const width = columnsOf(text);
    if (column >= length || line.length > LONGEST_LINE) {
      column = Math.max(length, Math.min(column, length + WIDEST_GAP));
      lines[row] = line + ' '.repeat(column - length) + text;
    } else {
      if (column === 0) overwritten += 1;
      lines[row] = part(line, 0, column) + text + part(line, column + width);
    }
    column += width;
  };
  const nextLine = (): void => {
    row += 1;
    column = 0;
    if (row === lines.length) lines.push('');
    if (lines.length <= 2 * CHANGEABLE_LINES || row < CHANGEABLE_LINES) return;
    done.push(...lines.slice(0, CHANGEABLE_LINES));
    lines = lines.slice(CHANGEABLE_LINES);
    row -= CHANGEABLE_LINES;
  };
  const move = (parameters: string, command: string): void => {
    const [first = 0, second = 0] = parameters.split(';').map((value) => Math.min(Number(value) || 0, 10_000));
    const steps = Math.max(first, 1);
    if (command === 'A' || command === 'F') row = Math.max(0, row - steps);
    else if (command === 'B' || command === 'E') row = Math.min(lines.length - 1, row + steps);
    else if (command === 'C') column += steps;
    else if (command === 'D') column = Math.max(0, column - steps);
    else if (command === 'G') column = steps - 1;
    else if (command === 'H' || command === 'f') {
      row = Math.min(steps, CHANGEABLE_LINES) - 1;
      while (lines.length <= row) lines.push('');
      column = Math.max(second, 1) - 1;
    } else if (command === 'J') {
      const [from, to] =
        first === 0 ? [row + (column > 0 ? 1 : 0), lines.length] : [0, first === 1 ? row : lines.length];
      overwritten += lines.slice(from, to).filter((line) => line !== '').length;
      lines.fill('', from, to);
      if (first === 0) lines[row] = part(lines[row]!, 0, column);
      if (first !== 1) lines.length = row + 1;
      else lines[row] = ' '.repeat(Math.min(column, LONGEST_LINE)) + part(lines[row]!, column);
    } else if (command === 'K' && first === 0) lines[row] = part(lines[row]!, 0, column);
    else if (command === 'K') {
      if (first === 2 && lines[row] !== '') overwritten += 1;
      lines[row] = first === 2 ? '' : ' '.repeat(Math.min(column, LONGEST_LINE)) + part(lines[row]!, column);
    }
    if (command === 'E' || command === 'F') column = 0;
  };
  let at = 0;
  for (const match of source.matchAll(SEQUENCES)) {
    write(source.slice(at, match.index));
    at = match.index + match[0].length;
    const [, parameters = '', command, control] = match;
    if (control === '\n') nextLine();
    else if (control === '\r') column = 0;
    else if (control === '\b') column = Math.max(0, column - 1);
    else if (command !== undefined) move(parameters, command);
  }
  write(source.slice(at));
  return { text: [...done, ...lines].map((line) => line.trimEnd()).join('\n'), overwritten };
}

/** Returns the number of characters of a text. An emoji is one, although it is stored as two. */
function columnsOf(text: string): number {
  return /[\ud800-\udbff]/.test(text) ? Array.from(text).length : text.length;
}

/** Returns the characters of a line between two columns. */
function part(line: string, from: number, to?: number): string {
  if (line.length > LONGEST_LINE || !/[\ud800-\udbff]/.test(line)) return line.slice(from, to);
  return Array.from(line).slice(from, to).join('');
}

/** Whether a text is the output of a program that moves the cursor, or whose lines overwrite each other. */
export function isTerminalText(text: string): boolean {
  return text.includes('\r') || HAS_SEQUENCES.test(text);
}

/** Matches what progress is told by: a share, or a number of so many; but no date. */
const PROGRESS = /\d ?%|(?<![\d/.])\d+ ?\/ ?\d+(?![\d/])/;

/**
 * Returns a text in which carriage returns that end a line are line feeds. Of a text without control sequences, those
 * stay that overwrite a line: what follows them repeats the words before. After a progress bar, other words may follow,
 * which begin a line of their own. If no line ends with a line feed, as in files of old Macintosh programs, only progress is
 * overwritten: their lines often repeat words, too.
 */
export function withLineFeeds(source: string): string {
  // Without the look-behind, a run of carriage returns would be read to its end from each of them.
  const text = source.replace(/(?<!\r)\r+\n/g, '\n');
  if (!text.includes('\r') || HAS_SEQUENCES.test(text)) return text;
  const lines = text.split('\n');
  const hasLineFeeds = lines.slice(1).some((line) => line !== '');
  return lines
    .map((line) => {
      if (!line.includes('\r')) return line;
      const states = line.split('\r').filter((state) => state.trim() !== '');
      const breaks = states.flatMap((state, index) =>
        index > 0 && !repeats(states[index - 1]!, state) ? [index] : [],
      );
      const [end = states.length] = breaks;
      const isProgress = states.slice(0, Math.min(end, states.length - 1)).every((state) => PROGRESS.test(state));
      const isOverwritten =
        states.length > 1 &&
        (breaks.length === 0 ? hasLineFeeds || isProgress : isProgress && end > 1 && end === states.length - 1);
      if (!isOverwritten) return line.replaceAll('\r', '\n');
      return [states.slice(0, end).join('\r'), ...states.slice(end)].join('\n');
    })
    .join('\n');
}

/** Whether a state of a line has all words of the state before it, or that one has neither words nor numbers. */
function repeats(before: string, state: string): boolean {
  const words = before.match(/\p{L}{2,}/gu) ?? [];
  if (words.length === 0) return PROGRESS.test(before) || !/[\p{L}\p{N}]/u.test(before);
  const known = new Set(state.match(/\p{L}{2,}/gu));
  return words.every((word) => known.has(word));
}
