import { expect, test } from 'vitest';
import { readDocument } from '../../src/document-reader/read-document.ts';
import { docx, openDocument, p, slides, xlsx } from '../support/samples/documents.ts';

async function read(name: string, file: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const options = { name, most: 4_000_000, largest: 50_000_000, languages: ['en'], pageTime: 60_000 };
  return (await readDocument(new Blob([file]), options)).text;
}

test.each([
  [
    'cells that cover rows and columns',
    '<tr><th>Country<th>City<th>People<tr><td rowspan="2">Germany<td>Berlin<td>3.6<tr><td>Hamburg<td>1.8<tr><td colspan="2">Sum<td>5.4',
    'Country | City | People\nGermany | Berlin | 3.6\n | Hamburg | 1.8\nSum |  | 5.4',
  ],
  [
    'a cell that covers both',
    '<tr><td rowspan="2" colspan="2">a<td>b<tr><td>c<tr><td>d<td>e<td>f',
    'a |  | b\n |  | c\nd | e | f',
  ],
  [
    'covered columns in the middle and at the end',
    '<tr><td>a<td rowspan="3">b<td>c<td rowspan="2">d<tr><td>e<td>f<tr><td>g<td>h<td>i',
    'a | b | c | d\ne |  | f\ng |  | h | i',
  ],
  [
    'a cell that covers all rows that are left of its part',
    '<tbody><tr><td rowspan="0">a<td>b<tr><td>c<tr><td>d</td></tr></tbody><tbody><tr><td>e<td>f',
    'a | b\n | c\n | d\ne | f',
  ],
  ['a title above all columns', '<tr><td colspan="100%">Ships<tr><td>Fram<td>1892', 'Ships\nFram | 1892'],
  ['an empty cell at the side of a layout', '<tr><td rowspan="2">&nbsp;<td>one<tr><td>two', ' | one\ntwo'],
  ['a table in a cell', '<tr><td rowspan="2">a<td><table><tr><td>b<td>c</table><tr><td>d<td>e', 'a | b | c\n | d | e'],
  ['spans that are no numbers', '<tr><td rowspan="x" colspan="-2">a<td>b<tr><td>c<td>d', 'a | b\nc | d'],
  [
    'a cell that covers columns beside covered ones',
    '<tr><td rowspan="3">a<td rowspan="2">b<td>c<tr><td colspan="2">d<td>e<tr><td>f<td>g',
    'a | b | c\n |  | d |  | e\n | f | g',
  ],
])('the columns of an HTML table are kept with %s', async (_, rows, text) => {
  expect(await read('a.html', `<html><table>${rows}</table>`)).toBe(text);
});

const cell = (text: string, columns = 1) => `<w:tc><w:tcPr><w:gridSpan w:val="${columns}"/></w:tcPr>${p(text)}</w:tc>`;

test('the columns of a DOCX table are kept with cells that cover several, and rows that begin later', async () => {
  const rows = [
    cell('A') + cell('B') + cell('C'),
    cell('Sum', 2) + cell('5'),
    `<w:trPr><w:gridBefore w:val="1"/></w:trPr>${cell('b')}${cell('c')}`,
    cell('Title', 3),
  ];
  const table = `<w:tbl>${rows.map((row) => `<w:tr>${row}</w:tr>`).join('')}</w:tbl>`;
  expect(await read('a.docx', docx(table))).toBe('A | B | C\nSum |  | 5\n | b | c\nTitle');
});

const cellOf = (text: string, more = '') => `<a:tc ${more}><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:tc>`;

test('the columns of a table of a slide, which has the covered cells itself, are kept', async () => {
  const row = `<a:tr>${cellOf('Sum', 'gridSpan="2"')}${cellOf('', 'hMerge="1"')}${cellOf('5')}</a:tr>`;
  expect(await read('a.pptx', slides(`<p:sld><a:tbl>${row}</a:tbl></p:sld>`))).toBe('# 1\n\nSum |  | 5');
});

const PARAGRAPHS = ['A long one. '.repeat(30).trim(), 'Another long one. '.repeat(30).trim()] as const;

test.each([
  [
    'a.xlsx',
    xlsx(
      `<sheetData><row><c t="inlineStr"><is><t>1</t></is></c><c t="inlineStr"><is><t>${PARAGRAPHS.join('\n\n')}</t></is></c><c t="inlineStr"><is><t>open</t></is></c></row></sheetData>`,
    ),
    '# S\n\n',
  ],
  [
    'a.ods',
    openDocument(
      `<office:body><office:spreadsheet><table:table><table:table-row><table:table-cell><text:p>1</text:p></table:table-cell><table:table-cell><text:p>${PARAGRAPHS.join('</text:p><text:p/><text:p>')}</text:p></table:table-cell><table:table-cell><text:p>open</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body>`,
      'spreadsheet',
    ),
    '',
  ],
])('a row of %s with a long cell of several paragraphs stays a row', async (name, file, before) => {
  expect(await read(name, file)).toBe(`${before}1 | ${PARAGRAPHS.join(' ')} | open`);
});

const value = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
const odsRow = (...cells: readonly string[]) =>
  `<table:table-row>${cells.map((text) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`).join('')}</table:table-row>`;

test.each([
  [
    'a.xlsx',
    xlsx(
      `<sheetData><row r="1">${value('Client')}${value('Anna')}</row><row r="2"><c s="1"/></row><row r="3">${value('Ship')}${value('Year')}</row><row r="4" hidden="1">${value('x')}</row><row r="5">${value('Fram')}${value('1892')}</row><row r="9">${value('Port')}${value('Oslo')}</row></sheetData>`,
    ),
    '# S\n\n',
  ],
  [
    'a.ods',
    openDocument(
      `<office:body><office:spreadsheet><table:table>${odsRow('Client', 'Anna')}<table:table-row><table:table-cell/></table:table-row>${odsRow('Ship', 'Year')}<table:table-row table:visibility="collapse"/>${odsRow('Fram', '1892')}<table:table-row table:number-rows-repeated="3"><table:table-cell table:number-columns-repeated="9"/></table:table-row>${odsRow('Port', 'Oslo')}</table:table></office:spreadsheet></office:body>`,
      'spreadsheet',
    ),
    '',
  ],
])('empty rows of %s separate its tables, and hidden ones do not', async (name, file, before) => {
  expect(await read(name, file)).toBe(`${before}Client | Anna\n\nShip | Year\nFram | 1892\n\nPort | Oslo`);
});

test('a table of cells that cover millions of rows and columns stays small', async () => {
  const text = await read(
    'a.html',
    `<html><table><tr>${'<td rowspan=9999999 colspan=9999999>a'.repeat(5000)}<tr><td>b`,
  );
  expect([text.length < 200_000, text.endsWith('b')]).toEqual([true, true]);
});

test('of a table whose first row covers all further ones, no more is read than there is room for', async () => {
  const covering = '<td rowspan=0 colspan=100>x'.repeat(10);
  const source = `<html><table><tr>${covering}${'<tr><td>x'.repeat(5000)}</table><img>`;
  const options = { name: 'a.html', most: 100_000, largest: 50_000_000, languages: ['en'], pageTime: 60_000 };
  const { text, isCut, leftOut } = await readDocument(new Blob([source]), options);
  expect([text.length, isCut, leftOut]).toEqual([100_000, true, []]);
});
