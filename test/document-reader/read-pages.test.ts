import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPdfBytes } from '../support/read-pdf-bytes.ts';
import { pdfFile } from '../support/samples/pdf-file.ts';
import { commonSubsequence, shareOfWords, wordsOf } from '../support/word-order.ts';

const FILES = join(import.meta.dirname, 'files');
const EXPECTED = JSON.parse(readFileSync(join(FILES, 'expected.json'), 'utf8')) as Record<string, readonly string[]>;

test.each(readdirSync(FILES).filter((name) => name.endsWith('.pdf')))(
  'every word that a person sees in %s is read, in its order',
  async (name) => {
    const expected = wordsOf(EXPECTED[name]!.join('\n'));
    const found = wordsOf((await readPdfBytes(new Uint8Array(readFileSync(join(FILES, name))))).text);
    expect({
      words: shareOfWords(expected, found),
      order: commonSubsequence(expected, found) / expected.length,
    }).toEqual({ words: 1, order: 1 });
  },
);

/** A line of a page of 300 by 300 points. */
type PlacedText = readonly [x: number, y: number, text: string, size?: number];

function page(...lines: readonly PlacedText[]): Buffer {
  const parts = lines.map(([x, y, text, size = 10]) => `BT /F1 ${size} Tf ${x} ${y} Td (${text}) Tj ET`);
  return Buffer.from(parts.join('\n'));
}

async function textOf(...pages: readonly Buffer[]): Promise<string> {
  return (await readPdfBytes(new Uint8Array(pdfFile(pages)))).text;
}

test.each([
  [
    'two columns, line by line',
    page(
      [20, 250, 'The left one is'],
      [160, 250, 'The right one is'],
      [20, 238, 'read as a whole'],
      [160, 238, 'read after the left'],
      [20, 226, 'before the right.'],
      [160, 226, 'one has come to end.'],
    ),
    'The left one is read as a whole before the right. The right one is read after the left one has come to end.',
  ],
  [
    'two columns whose lines are not in step',
    page(
      [20, 250, 'Here the lines of'],
      [160, 247, 'Those of the right'],
      [20, 238, 'the left one have'],
      [160, 234, 'column stand at'],
      [20, 226, 'their own places.'],
      [160, 221, 'other places.'],
    ),
    'Here the lines of the left one have their own places. Those of the right column stand at other places.',
  ],
  [
    'a table',
    page(
      [20, 250, 'Ship'],
      [120, 250, 'Cargo'],
      [220, 250, 'Day'],
      [20, 238, 'Fram'],
      [120, 238, 'Dogs'],
      [220, 238, '3 May'],
      [20, 226, 'Gjoa'],
      [220, 226, '4 May'],
    ),
    'Ship Cargo Day Fram Dogs 3 May Gjoa 4 May',
  ],
  [
    'labels with values that are written first',
    page([120, 250, 'Fram'], [120, 230, 'Oslo'], [20, 250, 'Ship'], [20, 230, 'Port']),
    'Ship Fram Port Oslo',
  ],
  [
    'a title over two columns',
    page(
      [20, 280, 'A title that goes over both of the columns of this page'],
      [20, 250, 'The left one is'],
      [160, 250, 'The right one is'],
      [20, 238, 'read as a whole'],
      [160, 238, 'read after the left'],
      [20, 226, 'before the right.'],
      [160, 226, 'one has come to end.'],
      [110, 20, 'A footer in the middle'],
    ),
    'A title that goes over both of the columns of this page The left one is read as a whole before the right. The right one is read after the left one has come to end. A footer in the middle',
  ],
  [
    'a title in the middle above a heading at the left',
    page([110, 280, 'The title'], [115, 265, 'An author'], [20, 240, 'Heading'], [20, 225, 'Text']),
    'The title An author Heading Text',
  ],
  [
    'an exponent and an index in one line',
    page([20, 250, '10 m'], [42, 254, '2', 6], [50, 250, 'of H'], [68.5, 247.5, '2', 6], [72, 250, 'O']),
    '10 m2 of H2O',
  ],
  ['an exponent', page([20, 250, 'E = mc'], [51.6, 254, '2']), 'E = mc2'],
] as const)('%s is read in the order of a person', async (_, content, expected) => {
  expect(wordsOf(await textOf(content)).join(' ')).toBe(expected);
});

/** Letters of Hebrew in the order in which a page draws them, from left to right, as octal codes of `HEBREW`. */
const hebrew = (word: string) =>
  [...word]
    .toReversed()
    .map((letter) => `\\${(letter.codePointAt(0)! - 0x5d0 + 1).toString(8).padStart(3, '0')}`)
    .join('');
const HEBREW = `<< /Type /Font /Subtype /Type1 /BaseFont /Example /FirstChar 1 /LastChar 126 /Widths [${Array(126).fill(500).join(' ')}] /FontDescriptor << /Type /FontDescriptor /FontName /Example /Flags 32 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >> /Encoding << /Type /Encoding /Differences [1 ${Array.from({ length: 27 }, (_, index) => `/afii${57_664 + index}`).join(' ')}] >> >>`;

test.each([
  [
    'of words, in which a row has no last cell',
    [
      ['שם', 'מחיר', 'הערה'],
      ['לחם', 'שבע', 'טרי'],
      ['מלח', 'שתיים'],
      ['תה', 'חמש', 'ירוק'],
    ],
  ],
  [
    'of numbers',
    [
      ['שם', '2024', '2025'],
      ['לחם', '1200.50', '1350.00'],
      ['תה', '18000', '19500'],
      ['סך', '19200', '20850'],
    ],
  ],
] as const)('a table in Hebrew is read from right to left: %s', async (_, rows) => {
  const placed = rows.flatMap((cells, row) =>
    cells.map((cell, column) => {
      const text = /\d/.test(cell) ? cell : hebrew(cell);
      return [[240, 140, 20][column]!, 250 - 12 * row, text] as const;
    }),
  );
  const { text } = await readPdfBytes(new Uint8Array(pdfFile([page(...placed)], HEBREW)));
  expect(text).toBe(rows.map((cells) => cells.join(' | ')).join('\n'));
});

test('the words of a line in Hebrew beside a long number are read from right to left', async () => {
  const content = page([150, 250, hebrew('לחם')], [60, 250, '1234567890'], [20, 250, hebrew('שקל')]);
  expect((await readPdfBytes(new Uint8Array(pdfFile([content], HEBREW)))).text).toBe('לחם | 1234567890 | שקל');
});

/** The words of a line, each drawn at these distances from its place. */
const wordByWord = (...distances: readonly number[]) =>
  page(
    ...['Grand', 'total', 'price'].flatMap((word, index) =>
      distances.map((distance) => [[20, 50.6, 72.2][index]! + distance, 250, word] as const),
    ),
  );

test.each([
  ['twice', page([20, 250, 'Grand total'], [20.3, 250, 'Grand total']), 'Grand total'],
  [
    'three times',
    page([20, 250, 'Grand total'], [20.3, 250, 'Grand total'], [20.6, 250, 'Grand total']),
    'Grand total',
  ],
  ['at the same place', page([20, 250, 'Grand total'], [20, 250, 'Grand total']), 'Grand total'],
  ['with a shadow', page([21.5, 248.5, 'Grand total', 24], [20, 250, 'Grand total', 24]), 'Grand total'],
  ['higher', page([20, 250.3, 'Grand total'], [20, 250, 'Grand total']), 'Grand total'],
  ['word by word', wordByWord(0, 0.3), 'Grand total price'],
  ['word by word, three times', wordByWord(0, 0.3, 0.6), 'Grand total price'],
  [
    'for one word of a line',
    page([20, 250, 'The '], [40, 250, 'Grand'], [40.3, 250, 'Grand'], [70.6, 250, 'total']),
    'The Grand total',
  ],
  ['for a part of a line', page([20, 250, 'The Grand total'], [39.8, 250, 'Grand']), 'The Grand total'],
  [
    'after the other lines, as a layer',
    page([20, 250, 'Grand total'], [20, 230, 'Small print'], [20.3, 250, 'Grand total'], [20.3, 230, 'Small print']),
    'Grand total Small print',
  ],
])('text that is drawn again for bold, %s, is read once', async (_, content, expected) => {
  expect(wordsOf(await textOf(content)).join(' ')).toBe(expected);
});

test.each([
  [
    'other words at the same place',
    page([20, 250, 'Grand total'], [20.3, 250, 'Small print']),
    ['Grand total', 'Small print'],
  ],
  ['words that differ in a letter', page([20, 250, 'Total 100'], [20.3, 250, 'Total 180']), ['Total 100', 'Total 180']],
  ['a word beside the same word', page([20, 250, 'had'], [39, 250, 'had a cold']), ['had had a cold']],
  [
    'a last digit in another font',
    page([20, 250, '10'], [31.11, 250, '0'], [60, 250, 'al'], [67.77, 250, 'l']),
    ['100 | all'],
  ],
  ['a cell like the one before', page([20, 250, '100.00'], [120, 250, '100.00']), ['100.00 | 100.00']],
  ['a word that begins as the one before ends, closely', page([20, 250, 'no-'], [34, 250, '-one']), ['no--one']],
  ['a row like the one above', page([20, 250, '100.00'], [20, 240, '100.00']), ['100.00\n100.00']],
  ['an exponent like its base', page([20, 250, '2'], [24, 254, '2', 6]), ['22']],
])('%s is read', async (_, content, expected) => {
  const text = await textOf(content);
  for (const words of expected) expect(text).toContain(words);
});

test('headers and footers that are on each page are read once, and other lines on each page', async () => {
  const text = await textOf(
    ...[1, 2, 3].map((number) =>
      page([20, 285, 'Harbour News'], [20, 150, 'The same text'], [140, 10, `Page ${number} of 3`]),
    ),
  );
  expect(wordsOf(text).join(' ')).toBe('Harbour News The same text Page 1 of 3 The same text The same text');
});

test.each([
  ['a subtotal at the end of each page', (page) => [[20, 12, `Subtotal ${page},234.50`]], 2],
  ['balances whose cents count with the pages', (page) => [[20, 285, `Balance 101.0${page} EUR`]], 3],
  ['the balance at the top of each page', (page) => [[20, 285, `Balance ${101 * page}.00 EUR`]], 3],
  ['rows that are a page apart', (page) => Array.from({ length: 23 }, (_, row) => [20, 280 - 12 * row, `${page * 23 + row}`]), 4], // prettier-ignore
  [
    'rows whose numbers all count with the pages',
    (page) => [
      [20, 285, `${page}`],
      [90, 285, `${100 + page}`],
    ],
    3,
  ],
  ['steps that titles count', (page) => [[20, 285, `Step ${page}`]], 3],
  ['the days of a timetable', (page) => [[20, 285, `Departures on 2026-05-0${page}`]], 3],
] as const satisfies readonly (readonly [string, (page: number) => readonly PlacedText[], number])[])(
  '%s are read on each page',
  async (_, linesOf, pages) => {
    const lines = Array.from({ length: pages }, (_, index) => linesOf(index + 1));
    const text = await textOf(...lines.map((line) => page(...line, [200, 150, 'The same text'])));
    const found = wordsOf(text);
    for (const word of lines.flat().flatMap(([, , line]) => wordsOf(line))) expect(found).toContain(word);
  },
);

test.each([
  ['the page and the number of pages', (page) => `Page ${page} of 10`, 'Page 1 of 10'],
  ['pages that begin at another number', (page) => `Harbour News ${page + 16}`, 'Harbour News 17'],
  ['the same date', () => 'Printed on 2026-05-03 at 10:15', 'Printed on 2026-05-03 at 10:15'],
  ['left and right pages', (page) => (page % 2 === 0 ? `${page} Harbour` : `Harbour ${page}`), 'Harbour 1 2 Harbour'],
] as const satisfies readonly (readonly [string, (page: number) => string, string])[])(
  'a footer is read once, with %s',
  async (_, footer, expected) => {
    const text = await textOf(
      ...Array.from({ length: 6 }, (_, index) => page([20, 150, 'Text.'], [140, 10, footer(index + 1)])),
    );
    expect(wordsOf(text.replaceAll('Text.', '')).join(' ')).toBe(expected);
  },
);

test('pages without text are counted', async () => {
  const read = await readPdfBytes(new Uint8Array(pdfFile([page([20, 200, 'Text']), page(), page()])));
  expect(read).toMatchObject({ text: 'Text', leftOut: [{ kind: 'pageWithoutText', count: 2 }], isCut: false });
});
