import { Tokenizer, type Tokens } from 'marked';
import { linesUntilEmpty } from './lines-until-empty.ts';
import { barsWithin, wholeCode, wholeFormulas, withoutSurplus } from './whole-cells.ts';

/**
 * Reads a table of which no words are lost. In GitHub's Markdown, bars in formulas and code end a cell, and cells after
 * the last column are left out. Here the bars of a formula belong to it, and so do those of code if its row has too many
 * cells otherwise; words after the last column are part of its cell.
 */
export function tableWithWholeCells(this: Tokenizer, text: string): Tokens.Table | undefined {
  const lines = /^[^\n]*\|[^\n]*\n[ \t|:-]*-/.test(text) ? linesUntilEmpty(text) : '';
  if (lines === '') return Tokenizer.prototype.table.call(this, text);
  const rows = lines.split('\n');
  const columns = barsWithin(rows[1] ?? '').length + 1;
  const escaped = rows.map((row, index) => {
    if (index === 1) return row;
    const formulas = wholeFormulas(row);
    if (barsWithin(formulas).length < columns) return formulas;
    const code = wholeCode(formulas);
    // A head with other columns than its line of dashes is no table.
    return index === 0 ? code : withoutSurplus(code, columns);
  });
  const table = Tokenizer.prototype.table.call(this, escaped.join('\n') + text.slice(lines.length));
  if (table === undefined) return;
  // The same lines of the text as it is.
  const count = table.raw.split('\n').length;
  const raw = text.split('\n', count).join('\n');
  return { ...table, raw };
}
