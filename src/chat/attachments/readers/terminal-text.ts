/** Matches what a terminal does not show: colours, movements of the cursor, titles of the window. */
const SEQUENCES =
  // oxlint-disable-next-line no-control-regex
  /\u001b(?:\[([0-?]*)[ -/]*([@-~])|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])|([\r\n\b])|\u001b/g;

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
    if (column >= line.length || line.length > LONGEST_LINE) {
      column = Math.max(line.length, Math.min(column, line.length + WIDEST_GAP));
      lines[row] = line.padEnd(column) + text;
    } else {
      if (column === 0) overwritten += 1;
      lines[row] = line.slice(0, column) + text + line.slice(column + text.length);
    }
    column += text.length;
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
    const [first = 0] = parameters.split(';').map((value) => Math.min(Number(value) || 0, 10_000));
    const steps = Math.max(first, 1);
    if (command === 'A' || command === 'F') row = Math.max(0, row - steps);
    else if (command === 'B' || command === 'E') row = Math.min(lines.length - 1, row + steps);
    else if (command === 'C') column += steps;
    else if (command === 'D') column = Math.max(0, column - steps);
    else if (command === 'G') column = steps - 1;
    else if (command === 'K' && first === 0) lines[row] = lines[row]!.slice(0, column);
    else if (command === 'K') {
      if (first === 2 && lines[row] !== '') overwritten += 1;
      lines[row] = first === 2 ? '' : ' '.repeat(Math.min(column, LONGEST_LINE)) + lines[row]!.slice(column);
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

/**
 * Whether a text is the output of a program with lines that overwrite each other. A lone carriage return can also be
 * the end of a line: then the next line does not repeat its words.
 */
export function isTerminalText(text: string): boolean {
  if (text.includes('\u001b[') || text.includes('\u001b]')) return true;
  let isOverwriting = false;
  if (!/\r(?!\n)/.test(text)) return false;
  for (const line of text.split('\n')) {
    const states = line
      .replace(/\r+$/, '')
      .split('\r')
      .filter((state) => state.trim() !== '');
    for (const [index, state] of states.entries()) {
      const next = states[index + 1];
      if (next === undefined) continue;
      const words = new Set(next.match(/\p{L}{2,}/gu));
      if ((state.match(/\p{L}{2,}/gu) ?? []).some((word) => !words.has(word))) return false;
      isOverwriting = true;
    }
  }
  return isOverwriting;
}
