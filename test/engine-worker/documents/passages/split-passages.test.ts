import { array, assert, constantFrom, integer, oneof, property, record, string, stringMatching } from 'fast-check';
import { expect, test } from 'vitest';
import { estimateTokens } from '../../../../src/engine-worker/documents/passages/estimate-tokens.ts';
import { passageText } from '../../../../src/engine-worker/documents/passages/passage.ts';
import { splitPassages } from '../../../../src/engine-worker/documents/passages/split-passages.ts';

const split = (text: string, maxTokens: number, overlapTokens = 0) => [
  ...splitPassages(text, { maxTokens, overlapTokens }),
];

/** What a model sees of each passage. */
const shown = (text: string, maxTokens = 20, overlapTokens = 0) =>
  split(text, maxTokens, overlapTokens).map((passage) => passageText(text, passage));

/** Distinct words of one token, from `first` to `last`. */
const words = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => `w${first + index}`).join(' ');

const rows = (first: number, last: number, mark: string) =>
  Array.from({ length: last - first + 1 }, (_, index) => `r${first + index}${mark}x${mark}y`).join('\n');

test.each<[what: string, text: string, passages: string[]]>([
  ['nothing', '', []],
  ['only white space', ' \n\t \f\r\n\u3000 ', []],
  ['a short text', '  One sentence.\n', ['One sentence.']],
  ['two short paragraphs', 'One.\n\nTwo.', ['One.\n\nTwo.']],
  [
    'a paragraph that does not fit with the one before it',
    `${words(1, 15)}\n\n${words(16, 30)}`,
    [words(1, 15), words(16, 30)],
  ],
  [
    'a long paragraph of sentences',
    `A ${words(1, 7)}. A ${words(9, 15)}. A ${words(17, 24)}.`,
    [`A ${words(1, 7)}. A ${words(9, 15)}.`, `A ${words(17, 24)}.`],
  ],
  ['a long sentence', words(1, 30), [words(1, 20), words(21, 30)]],
  ['a word that is too long', 'x'.repeat(150), ['x'.repeat(80), 'x'.repeat(70)]],
  [
    'a long section under headings',
    `# A\n\n## B\n\n${words(1, 10)}.\n\n${words(11, 22)}.\n\n## C\n\nlast`,
    [`# A\n\n## B\n\n${words(1, 10)}.`, `A > B\n${words(11, 22)}.`, 'A\n## C\n\nlast'],
  ],
  [
    'underlined headings',
    `A\n===\n\nB\n---\n${words(1, 20)}`,
    [`A\n===\n\nB\n---\n${words(1, 12)}`, `A > B\n${words(13, 20)}`],
  ],
  [
    'numbered headings',
    `1.2 Disk\n\n${words(1, 10)}.\n\n${words(11, 20)}.`,
    [`1.2 Disk\n\n${words(1, 10)}.`, `1.2 Disk\n${words(11, 20)}.`],
  ],
  [
    'a manual page',
    `NAME\n    ls\n\nÜBERSICHT\n    ${words(1, 18)}`,
    ['NAME\n    ls', `ÜBERSICHT\n    ${words(1, 17)}`, 'ÜBERSICHT\nw18'],
  ],
  ['pages', 'one\ftwo\n\fthree', ['one', 'two', 'three']],
  [
    'a table with bars',
    `| n | a | b |\n|---|---|---|\n${rows(1, 7, ' | ')}`,
    ['| n | a | b |\n|---|---|---|', rows(1, 4, ' | '), rows(5, 7, ' | ')],
  ],
  [
    'a table with a short header',
    `n | a | b\n${rows(1, 6, ' | ')}`,
    [`n | a | b\n${rows(1, 3, ' | ')}`, `n | a | b\n${rows(4, 6, ' | ')}`],
  ],
  [
    'a table with tabs',
    `n\ta\tb\n${rows(1, 9, '\t')}`,
    [`n\ta\tb\n${rows(1, 5, '\t')}`, `n\ta\tb\n${rows(6, 9, '\t')}`],
  ],
  ['a table with semicolons', `n;a;b\n${rows(1, 4, ';')}`, [`n;a;b\n${rows(1, 3, ';')}`, `n;a;b\n${rows(4, 4, ';')}`]],
  [
    'a table whose quoted cells have the marks of its columns',
    'n,a,b\n1,"x, y",z\n2,w,"u ""v"", t"\n3,"x; y",z\n4,x,z\n5,x,"a, b, c, d"',
    ['n,a,b\n1,"x, y",z', 'n,a,b\n2,w,"u ""v"", t"', 'n,a,b\n3,"x; y",z\n4,x,z', 'n,a,b\n5,x,"a, b, c, d"'],
  ],
  [
    'a table with quoted cells of several lines',
    'n,a,b\n1,"x\ny, z",w\n2,x,"""y""\nz"\n3,x,y',
    ['n,a,b\n1,"x\ny, z",w', 'n,a,b\n2,x,"""y""\nz"', 'n,a,b\n3,x,y'],
  ],
  [
    'a table with tabs and empty cells at the ends of its rows',
    '\ta\tb\nn1\tx\t\nn2\t\ty\nn3\tx\ty\nn4\tx\ty\nn5\tx\ty\nn6\tx\ty\nn7\tx\ty',
    ['\ta\tb\nn1\tx\t\nn2\t\ty\nn3\tx\ty\nn4\tx\ty\nn5\tx\ty\nn6\tx\ty', 'a\tb\nn7\tx\ty'],
  ],
  [
    'a table whose first line names its separator for Excel',
    `sep=;\nn;a;b\n${rows(1, 4, ';')}`,
    [`sep=;\nn;a;b\n${rows(1, 2, ';')}`, `n;a;b\n${rows(3, 4, ';')}`],
  ],
  [
    'a table with lines that name groups of rows',
    `n | a | b\nA\n${rows(1, 3, ' | ')}\nB\n${rows(4, 6, ' | ')}\n${words(1, 16)}.`,
    [
      `n | a | b\nA\n${rows(1, 2, ' | ')}`,
      `n | a | b\n${rows(3, 3, ' | ')}\nB\n${rows(4, 4, ' | ')}`,
      `n | a | b\n${rows(5, 6, ' | ')}`,
      `${words(1, 16)}.`,
    ],
  ],
  [
    'a table whose groups of rows are apart',
    'n | a | b\nx | y | 1\n\nx | y | 2\nx | y | 3\n\nx | y | 4',
    ['n | a | b\nx | y | 1\n\nx | y | 2\nx | y | 3', 'n | a | b\nx | y | 4'],
  ],
  [
    'two tables',
    'n | a | b\nx | y | 1\n\nm | c | d\nx | y | 2\nx | y | 3\nx | y | 4',
    ['n | a | b\nx | y | 1\n\nm | c | d\nx | y | 2', 'm | c | d\nx | y | 3\nx | y | 4'],
  ],
  [
    'a table whose columns are named by years and whose groups of rows are apart',
    'n | 2021 | 2022\nx | 1 | 3\n\nx | 4 | 5\nx | 6 | 7\n\nx | 8 | 9',
    ['n | 2021 | 2022\nx | 1 | 3\n\nx | 4 | 5\nx | 6 | 7', 'n | 2021 | 2022\nx | 8 | 9'],
  ],
  [
    'a table with one year in each row, whose groups of rows are apart',
    'n | a | b\nx | y | 2021\n\nx | y | 2022\nx | y | 2023\n\nx | y | 2024',
    ['n | a | b\nx | y | 2021\n\nx | y | 2022\nx | y | 2023', 'n | a | b\nx | y | 2024'],
  ],
  [
    'a table with an empty row below the names of its columns',
    'n | a | b\n\nx | y | 1\nx | y | 2\nx | y | 3\nx | y | 4',
    ['n | a | b\n\nx | y | 1\nx | y | 2\nx | y | 3', 'n | a | b\nx | y | 4'],
  ],
  [
    'two tables, the columns of the second one named by years',
    'n | a | b\nx | y | 1\n\nn | 2021 | 2022\nx | 2 | 3\nx | 4 | 5\nx | 6 | 7',
    ['n | a | b\nx | y | 1\n\nn | 2021 | 2022\nx | 2 | 3', 'n | 2021 | 2022\nx | 4 | 5\nx | 6 | 7'],
  ],
  [
    'two tables whose columns are named by different years',
    'n | 2021 | 2022\nx | 1 | 1\n\nn | 2023 | 2024\nx | 2 | 3\nx | 4 | 5\nx | 6 | 7',
    ['n | 2021 | 2022\nx | 1 | 1\n\nn | 2023 | 2024\nx | 2 | 3', 'n | 2023 | 2024\nx | 4 | 5\nx | 6 | 7'],
  ],
  [
    'two tables, the second one with a line below the names of its columns, which are numbers',
    '| n | a |\n| x | 1 |\n\n| n | 10 |\n|--|--|\n| x | 1 |\n| x | 2 |\n| x | 3 |',
    ['| n | a |\n| x | 1 |\n\n| n | 10 |', '|--|--|\n| x | 1 |\n| x | 2 |', '| x | 3 |'],
  ],
  [
    'a table below a heading with bars',
    '# N | A | B\n\nx | y | 1\nx | y | 2\nx | y | 3\nx | y | 4',
    ['# N | A | B\n\nx | y | 1\nx | y | 2', 'x | y | 1\nx | y | 3\nx | y | 4'],
  ],
  [
    'a table that goes on on the next page',
    'n | a | b\nx | y | 1\fx | y | 2\nx | y | 3',
    ['n | a | b\nx | y | 1', 'n | a | b\nx | y | 2\nx | y | 3'],
  ],
  [
    'a table below a page that ends with a row alone',
    'n | a | b\fx | y | 1\nx | y | 2\nx | y | 3\nx | y | 4\nx | y | 5',
    ['n | a | b', 'x | y | 1\nx | y | 2\nx | y | 3\nx | y | 4', 'x | y | 1\nx | y | 5'],
  ],
  [
    'rows below a text below a table',
    'n | a | b\nx | y | 1\n\nEnd.\n\nx | y | 2\nx | y | 3\nx | y | 4',
    ['n | a | b\nx | y | 1\n\nEnd.', 'x | y | 2\nx | y | 3\nx | y | 4'],
  ],
  [
    'a table above a text',
    `n | a | b\n${rows(1, 2, ' | ')}\nA ${words(1, 7)}. A\n${words(9, 15)}.`,
    [`n | a | b\n${rows(1, 2, ' | ')}`, `A ${words(1, 7)}. A\n${words(9, 15)}.`],
  ],
  ['a table above a line', `n | a | b\n${rows(1, 1, ' | ')}\nend`, [`n | a | b\n${rows(1, 1, ' | ')}\nend`]],
  [
    'a table above a page',
    `n | a | b\n${rows(1, 1, ' | ')}\nend\fnext`,
    [`n | a | b\n${rows(1, 1, ' | ')}\nend`, 'next'],
  ],
  [
    'a table above a line with a line below it',
    `n | a | b\n${rows(1, 1, ' | ')}\nTitle\n=====\n${words(1, 17)}`,
    [`n | a | b\n${rows(1, 1, ' | ')}`, `Title\n=====\n${words(1, 13)}`, `Title\n${words(14, 17)}`],
  ],
  [
    'a table above a line and a heading with a bar',
    'n | a | b\nx | y | 1\nend\n# Title | other\nnext',
    ['n | a | b\nx | y | 1\nend', '# Title | other\nnext'],
  ],
  [
    'lines that are indented by tabs',
    `\t${words(1, 12)}\n\t${words(13, 24)}\n\t${words(25, 28)}`,
    [words(1, 12), `${words(13, 24)}\n\t${words(25, 28)}`],
  ],
  [
    'code',
    `\`\`\`\n# none\n\n${'a b c d e\n'.repeat(6)}\`\`\``,
    [`\`\`\`\n# none\n\n${'a b c d e\n'.repeat(3)}`.trim(), `${'a b c d e\n'.repeat(3)}\`\`\``],
  ],
  [
    'a log',
    [1, 2, 3, 4].map((day) => `2026-01-0${day} ${words(1, 5)}`).join('\n'),
    [`2026-01-01 ${words(1, 5)}\n2026-01-02 ${words(1, 5)}`, `2026-01-03 ${words(1, 5)}\n2026-01-04 ${words(1, 5)}`],
  ],
  [
    'a list',
    `- ${words(1, 8)}\n- ${words(9, 16)}\n- ${words(17, 24)}`,
    [`- ${words(1, 8)}\n- ${words(9, 16)}`, `- ${words(17, 24)}`],
  ],
  [
    'Japanese',
    '東京は大きいです。'.repeat(4),
    ['東京は大きいです。東京は大きいです。', '東京は大きいです。東京は大きいです。'],
  ],
  ['Thai, which has no full stops', 'ภาษาไทยเป็นภาษา'.repeat(2), ['ภาษาไทยเป็นภาษาภาษา', 'ไทยเป็นภาษา']],
  ['Hebrew', 'שלום עולם. '.repeat(2).trim(), ['שלום עולם. שלום עולם.']],
  ['NUL and a lone surrogate', 'a\0b \ud800 c', ['a\0b \ud800 c']],
])('%s is split by its structure', (_, text, passages) => {
  expect(shown(text)).toEqual(passages);
});

test('a command in code is no heading, and a later title is', () => {
  const text = `# Manual\n\n# apt update\n\n${words(1, 15)}.\n\n# Remove\n\n${words(16, 30)}.`;
  expect(split(text, 22).map(({ headings }) => headings)).toEqual([[], ['Manual'], []]);
  expect(shown('# lower case\n\nfirst title', 20)).toEqual(['# lower case\n\nfirst title']);
});

test('a long table with lines that name groups of rows keeps each of its words, and the names of its columns', () => {
  // Tables are read in parts, which may end at such a line.
  const lines = Array.from({ length: 40_000 }, (_, index) => (index % 2 === 1 ? `g${index}` : `r${index} | x | y`));
  const text = `n | a | b\n${lines.join('\n')}`;
  const passages = split(text, 40);
  const found = passages.map(({ start, end }) => text.slice(start, end)).join('\n');
  expect(found.match(/[gr]\d+/g)).toEqual(text.match(/[gr]\d+/g));
  expect(passages.slice(1).filter(({ tableHeader }) => tableHeader !== 'n | a | b')).toEqual([]);
});

test('no passage begins or ends within a character', () => {
  const text = `a${'\u{10000}'.repeat(200)}`;
  const passages = split(text, 20).map(({ start, end }) => text.slice(start, end));
  expect(passages.length).toBeGreaterThan(5);
  expect(passages.filter((passage) => !passage.isWellFormed())).toEqual([]);
});

test('form feeds number the pages, and other documents have none', () => {
  expect(split('one\f\ftwo three', 20).map(({ page }) => page)).toEqual([1, 3]);
  expect(split('one', 20)[0]!.page).toBeNull();
});

test('an overlap repeats the last words of the passage before, but not over headings', () => {
  expect(shown(words(1, 30), 20, 6)).toEqual([words(1, 14), words(9, 28), words(23, 30)]);
  expect(shown(`${words(1, 18)}\n\n# Next\n\nend`, 20, 6)).toEqual([words(1, 18), '# Next\n\nend']);
});

/** Lines of which documents consist, hostile ones among them. */
const line = oneof(
  constantFrom(
    '# Title',
    '## Below it',
    '',
    '\f',
    '| a | b |',
    '|---|---|',
    '# Title | of cells',
    '``` a | b',
    '- item',
    '1. first',
    '```',
    '~~~',
    '===',
    '---',

    '2026-01-02 03:04 started',
    'a;b;c',
    'x\ty',
    'NAME',
    '    indented',
    '2.1 Disks',
    '\0',
    '\ud800',
    '\udc00\ud800',

    'שלום עולם',
    'ประเทศไทยมีภาษาไทย',
    '東京都に住んでいます。天気がいい。',
    '😀😀',
    'naïve façade',
    'a\u0301',
    '\r',
    '\u2028',
  ),
  stringMatching(/^[a-z]{1,9}( [a-z]{1,9}){0,30}[.!?]$/),
  stringMatching(/^[a-zA-Z]{20,900}$/),
  string({ unit: 'binary', maxLength: 30 }),
);

const splitting = record({
  text: array(line, { maxLength: 40 }).map((lines) => lines.join('\n')),
  maxTokens: integer({ min: 20, max: 200 }),
  share: constantFrom(0, 0.25, 0.5),
});

const WORDS = new Intl.Segmenter('en', { granularity: 'word' });

test('passages have every word of a text once, within their limits, and cut no word that fits into one', () => {
  assert(
    property(splitting, ({ text, maxTokens, share }) => {
      const overlap = Math.floor(maxTokens * share);
      let covered = 0;
      for (const passage of split(text, maxTokens, overlap)) {
        expect(text.slice(covered, Math.max(covered, passage.start)).trim()).toBe('');
        expect(passage.end).toBeGreaterThan(covered);
        expect(estimateTokens(text, passage.start, Math.min(covered, passage.end))).toBeLessThanOrEqual(overlap);
        covered = passage.end;
        expect(estimateTokens(passageText(text, passage).replaceAll(' > ', ' '))).toBeLessThanOrEqual(maxTokens);
        for (const edge of [passage.start, passage.end]) {
          const cut = WORDS.segment(text.slice(0, passage.end + 2000)).containing(edge);
          const isCut = cut !== undefined && cut.index < edge && cut.isWordLike === true;
          expect(isCut && estimateTokens(cut.segment) <= maxTokens / 8).toBe(false);
        }
      }
      expect(text.slice(covered).trim()).toBe('');
    }),
    { seed: 66, numRuns: 300 },
  );
});

test.each([
  ['one word of a million letters', 'a'.repeat(1_000_000)],
  ['a million short lines', 'a\n'.repeat(1_000_000)],
  ['a million headings', '# a\n'.repeat(1_000_000)],
  ['a million rows', 'a | b\n'.repeat(1_000_000)],
  ['100,000 characters without spaces', '東'.repeat(100_000)],
  ['a million blank lines', '\n'.repeat(1_000_000)],
  ['a million form feeds', '\f'.repeat(1_000_000)],
  ['a line of a million dashes below another one', `a\n${'-'.repeat(1_000_000)}a`],
])('%s are split to the end', (_, text) => {
  let covered = 0;
  for (const { end } of splitPassages(text, { maxTokens: 200, overlapTokens: 50 })) covered = end;
  expect(text.slice(covered).trim()).toBe('');
});
