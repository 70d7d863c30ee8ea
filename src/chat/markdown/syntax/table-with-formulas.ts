import { Tokenizer, type Tokens } from 'marked';
import { linesUntilEmpty } from './lines-until-empty.ts';
import { replaceFormulas } from './formula-syntax.ts';

/**
 * Reads a table in whose formulas bars do not end a cell, as in `| $|x|$ | absolute value |`. In GitHub's Markdown they
 * do, so that the formula and the cells after it are lost.
 */
export function tableWithFormulas(this: Tokenizer, text: string): Tokens.Table | undefined {
  const lines = /^[^\n]*\|[^\n]*\n[ \t|:-]*-/.test(text) ? linesUntilEmpty(text) : '';
  if (!/[$\\]/.test(lines)) return Tokenizer.prototype.table.call(this, text);
  const escaped = lines
    .split('\n')
    .map((line) => replaceFormulas(line, (source) => source.replace(/(?<!\\)\|/g, String.raw`\|`)))
    .join('\n');
  const table = Tokenizer.prototype.table.call(this, escaped + text.slice(lines.length));
  if (table === undefined) return;
  // The same lines of the text as it is.
  const count = table.raw.split('\n').length;
  const raw = text.split('\n', count).join('\n');
  return { ...table, raw };
}
