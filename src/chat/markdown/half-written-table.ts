import { wholeCode, wholeFormulas } from './syntax/whole-cells.ts';

/** Matches a block that is a table's first row, with as much of the row of dashes below it as is written. */
const BEGINNING = /^(\s*\n)?( {0,3}\|(?=[^\n]*[^|\s])[^\n]*)(?:\n([ \t|:-]*))?$/;

/**
 * Completes a table whose row of dashes is not fully written, so that a growing answer shows a table from its first
 * row on, instead of a line of bars that later becomes one.
 * @param block The unfinished last block of a growing text.
 */
export function completeHalfWrittenTable(block: string): string {
  const [, before = '', row = '', dashes = ''] = BEGINNING.exec(block) ?? [];
  if (row === '') return block;
  const columns = wholeCode(wholeFormulas(row))
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/).length;
  const isComplete = (dashes.match(/-+:?/g) ?? []).length >= columns;
  return isComplete ? block : `${before}${row}\n|${' --- |'.repeat(columns)}`;
}
