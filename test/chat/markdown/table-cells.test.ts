import { expect, test } from 'vitest';
import { completeHalfWrittenTable } from '../../../src/chat/markdown/half-written-table.ts';
import { markdownToHtml } from '../../../src/chat/markdown/markdown-parser.ts';

/** Returns the cells of a table, without the tags in them. */
function cellsOf(markdown: string): readonly (readonly string[])[] {
  const rows = markdownToHtml(markdown).split('<tr>').slice(1);
  return rows.map((row) =>
    [...row.matchAll(/<t[hd][^>]*>([^]*?)<\/t[hd]>/g)].map(([, cell = '']) => cell.replace(/<[^>]*>/g, '')),
  );
}

test.each([
  ['| `a || b` | or |', ['a || b', 'or']],
  ['| or | `a || b` |', ['or', 'a || b']],
  ['| `a | b` | `c | d` |', ['a | b', 'c | d']],
  ['`ls | wc` | counts', ['ls | wc', 'counts']],
  ['| ``a ` | b`` | x |', ['a ` | b', 'x']],
  ['| `a \\| b` | escaped |', ['a | b', 'escaped']],
  ['| `a || b` $|x|$ | both |', ['a || b $|x|$', 'both']],
  ['| $|x|$ | \\(|y|\\) |', ['$|x|$', '\\(|y|\\)']],
  ['| $P(A|B)$ | `a|b` |', ['$P(A|B)$', 'a|b']],
  ['| ` | a backtick |', ['`', 'a backtick']],
  ['| ` | ` |', ['`', '`']],
  ['| \\` | \\` |', ['`', '`']],
  ['| one | two | three | four |', ['one', 'two | three | four']],
  ['one | two | three', ['one', 'two | three']],
  ['| one | two | three', ['one', 'two | three']],
  ['| one | two \\| 2 | three |', ['one', 'two | 2 | three']],
  ['| one | two | |', ['one', 'two']],
  ['| one | two ||', ['one', 'two']],
  ['| one |', ['one', '']],
  ['|| two |', ['', 'two']],
  ['| | |', ['', '']],
  ['| costs $5 | and $6 |', ['costs $5', 'and $6']],
])('of the row %j each word is in a cell', (row, cells) => {
  expect(cellsOf(`| A | B |\n| - | - |\n${row}\n`)).toEqual([['A', 'B'], cells]);
});

test.each([
  [
    '| `a || b` | B |\n| - | - |\n| 1 | 2 |',
    [
      ['a || b', 'B'],
      ['1', '2'],
    ],
  ],
  [
    '| $|x|$ | B |\n| - | - |\n| 1 | 2 |',
    [
      ['$|x|$', 'B'],
      ['1', '2'],
    ],
  ],
  [
    '`a|b` | B\n- | -\n1 | 2',
    [
      ['a|b', 'B'],
      ['1', '2'],
    ],
  ],
  ['| A |\n| - |\n| 1 | 2 |\n| `a|b` |', [['A'], ['1 | 2'], ['a|b']]],
])('the table %j is read', (table, rows) => {
  expect(cellsOf(table)).toEqual(rows);
});

test('a head with more cells than its line of dashes is no table', () => {
  expect(markdownToHtml('| A | B | C |\n| - | - |\n| 1 | 2 |')).not.toContain('<table');
});

test('a row of code is a row of as many cells while its table is half written', () => {
  expect(completeHalfWrittenTable('| `a || b` | $|x|$ |')).toBe('| `a || b` | $|x|$ |\n| --- | --- |');
});

test('a first row of 50,000 characters is looked at in bounded time', () => {
  const block = `|${'a'.repeat(50_000)}|\n|---|\n| b |`;
  const start = performance.now();
  for (let frame = 0; frame < 10; frame += 1) expect(completeHalfWrittenTable(block)).toBe(block);
  expect(performance.now() - start).toBeLessThan(2000);
});
