import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import type { LeftOut } from '../../src/shared/documents/document-reading.ts';
import { readDocument } from '../../src/document-reader/read-document.ts';
import { readPdfBytes } from '../support/read-pdf-bytes.ts';
import { archive, docx, formatted, latin, OFFICE, openDocument, p, r, xlsx } from '../support/samples/documents.ts';

type File = string | Uint8Array<ArrayBuffer>;

const read = (name: string, file: File) =>
  readDocument(new Blob([file]), { name, most: 4_000_000, largest: 50_000_000, languages: ['en'], pageTime: 60_000 });

const times = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join('');

const row = (cells: string): string => `<sheetData><row r="1">${cells}</row></sheetData>`;

const bomb = (name: string, content: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(zipSync({ '[Content_Types].xml': strToU8('<Types/>'), [name]: strToU8(content) }));

/** An archive that has itself as its only file would unpack forever. */
function nestedArchives(depth: number): Uint8Array<ArrayBuffer> {
  let inner = archive({ 'a.txt': 'One.' });
  for (let level = 0; level < depth; level += 1) inner = archive({ 'inner.zip': inner });
  return inner;
}

function book(chapters: number): Uint8Array<ArrayBuffer> {
  const items = times(chapters, (index) => `<item id="c${index}" href="c${index}.html"/><itemref idref="c${index}"/>`);
  const texts = Array.from({ length: chapters }, (_, index) => [`c${index}.html`, `<p>Chapter ${index}</p>`] as const);
  return archive({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<rootfile full-path="book.opf"/>',
    'book.opf': `<package>${items}</package>`,
    ...Object.fromEntries(texts),
  });
}

const mail = (type: string, body: string): string =>
  `From: ann@example.org\r\nSubject: Ships\r\nMIME-Version: 1.0\r\nContent-Type: ${type}\r\n\r\n${body}`;
const MIXED = 'multipart/mixed; boundary=q';

/** A PDF without a table of its objects, which readers look for one by one. */
const pdf = (...objects: readonly string[]): Uint8Array<ArrayBuffer> =>
  latin(
    `%PDF-1.4\n${objects.map((object, index) => `${index + 1} 0 obj\n${object}\nendobj\n`).join('')}trailer\n<</Root 1 0 R/Size 9>>\n%%EOF`,
  );

interface Case {
  readonly name: string;
  readonly file: () => readonly [name: string, File];
  /** What the text begins with. */
  readonly begins: string;
  /** What the text ends with. */
  readonly ends: string;
  /** Maximum characters of the text. */
  readonly most: number;
}

test.each<Case>([
  {
    name: 'a workbook whose only cell is the last one of a sheet',
    file: () => ['a.xlsx', xlsx('<sheetData><row r="1048576"><c r="XFD1048576"><v>42</v></c></row></sheetData>')],
    begins: '# S',
    ends: '| 42',
    most: 200,
  },
  {
    name: 'a row whose cells jump between the first and the last column',
    file: () => [
      'a.xlsx',
      xlsx(row(`${times(100_000, (index) => `<c r="${index % 2 === 0 ? 'A' : 'XFD'}1"/>`)}<c r="B1"><v>42</v></c>`)),
    ],
    begins: '# S',
    ends: '| 42',
    most: 70_000,
  },
  {
    name: 'a workbook that hides all columns thousands of times',
    file: () => [
      'a.xlsx',
      xlsx(
        `<cols>${times(20_000, () => '<col min="2" max="16384" hidden="1"/>')}</cols>${row('<c r="A1"><v>42</v></c>')}`,
      ),
    ],
    begins: '# S',
    ends: '42',
    most: 20,
  },
  {
    name: 'a workbook that hides columns before the first and after the last one',
    file: () => [
      'a.xlsx',
      xlsx(
        `<cols><col min="-1e15" max="0" hidden="1"/><col min="3" max="1e15" hidden="1"/></cols>${row('<c r="A1"><v>42</v></c><c r="C1"><v>43</v></c>')}`,
      ),
    ],
    begins: '# S',
    ends: '42',
    most: 20,
  },
  {
    name: 'a number format of thousands of brackets',
    file: () => ['a.xlsx', formatted('1.5', '['.repeat(200_000))],
    begins: '# S',
    ends: '1.5',
    most: 20,
  },
  {
    name: 'a number format with hundreds of places after the second',
    file: () => ['a.xlsx', formatted('1.5', `ss.${'0'.repeat(300)}`)],
    begins: '# S',
    ends: '00.000000000',
    most: 20,
  },
  {
    name: 'a million empty paragraphs',
    file: () => ['a.docx', docx(`${'<w:p/>'.repeat(1_000_000)}${p('End.')}`)],
    begins: 'End.',
    ends: 'End.',
    most: 4,
  },
  {
    name: 'a table row of 100,000 empty cells',
    file: () => [
      'a.docx',
      docx(`<w:tbl><w:tr>${'<w:tc><w:p/></w:tc>'.repeat(100_000)}<w:tc>${p('End.')}</w:tc></w:tr></w:tbl>`),
    ],
    begins: ' | ',
    ends: '| End.',
    most: 70_000,
  },
  {
    name: 'an attribute of 4 MB',
    file: () => ['a.docx', docx(`<w:p w:x="${'abc '.repeat(1_000_000)}">${r('End.')}</w:p>`)],
    begins: 'End.',
    ends: 'End.',
    most: 4,
  },
  {
    name: 'text boxes within text boxes',
    file: () => [
      'a.docx',
      docx(`${'<w:p><w:r><w:txbxContent>'.repeat(900)}${p('End.')}${'</w:txbxContent></w:r></w:p>'.repeat(900)}`),
    ],
    begins: 'End.',
    ends: 'End.',
    most: 4,
  },
  {
    name: 'a table whose cells are repeated more often than a sheet has columns',
    file: () => [
      'a.ods',
      openDocument(
        `<office:body><office:spreadsheet><table:table><table:table-row>${'<table:table-cell table:number-columns-repeated="16384"/>'.repeat(20_000)}<table:table-cell><text:p>End.</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body>`,
        'spreadsheet',
      ),
    ],
    begins: ' | ',
    ends: '| End.',
    most: 70_000,
  },
  {
    name: 'a book of 2,000 chapters',
    file: () => ['a.epub', book(2000)],
    begins: 'Chapter 0\n\nChapter 1',
    ends: 'Chapter 1999',
    most: 100_000,
  },
  {
    name: 'a document within a document within a document',
    file: () => [
      'a.docx',
      archive({ ...OFFICE, 'word/document.xml': p('End.'), 'word/embeddings/b.docx': nestedArchives(20) }),
    ],
    begins: 'End.',
    ends: 'End.',
    most: 4,
  },
  {
    name: 'a notebook of 100,000 cells',
    file: () => [
      'a.ipynb',
      JSON.stringify({
        cells: Array.from({ length: 100_000 }, (_, index) => ({ cell_type: 'raw', source: `${index}` })),
      }),
    ],
    begins: '0\n\n1\n\n2',
    ends: '99999',
    most: 1_000_000,
  },
  {
    name: 'a notebook with an output nested very deeply',
    file: () => [
      'a.ipynb',
      `{"cells":[{"cell_type":"code","source":"one","outputs":[{"output_type":"display_data","data":{"application/json":${'['.repeat(20_000)}${']'.repeat(20_000)}}}]}]}`,
    ],
    begins: '```\none',
    ends: '```',
    most: 20,
  },
  {
    name: 'a message of 10,000 parts',
    file: () => ['a.eml', mail(MIXED, `${times(10_000, (index) => `--q\r\n\r\npart ${index}\r\n`)}--q--\r\n`)],
    begins: 'From: ann@example.org\nSubject: Ships',
    ends: 'part 9999',
    most: 200_000,
  },
  {
    name: 'a message of 1,000 messages',
    file: () => [
      'a.eml',
      mail(
        MIXED,
        `${times(1000, (index) => `--q\r\nContent-Type: message/rfc822\r\n\r\nSubject: s\r\n\r\nmail ${index}\r\n`)}--q--\r\n`,
      ),
    ],
    begins: 'From: ann@example.org\nSubject: Ships',
    ends: 'mail 999',
    most: 800_000,
  },
  {
    name: 'RTF of many deep groups',
    file: () => ['a.rtf', `{\\rtf1 ${times(50, () => `${'{\\b '.repeat(2900)}x${'}'.repeat(2900)}`)}}`],
    begins: 'xxx',
    ends: 'xxx',
    most: 200,
  },
  {
    name: 'RTF notes within notes',
    file: () => ['a.rtf', `{\\rtf1 ${'{\\footnote '.repeat(2900)}End.${'}'.repeat(2900)}}`],
    begins: ' [2900]',
    ends: '',
    most: 60_000,
  },
  {
    name: 'a page with tables within tables',
    file: () => ['a.html', `<html>${'<table><tr><td>'.repeat(900)}${'One.<br>'.repeat(10_000)}`],
    begins: 'One.\nOne.',
    ends: 'One.',
    most: 50_000,
  },
  {
    name: 'a table of one line of 50 MB, of which the beginning is read',
    file: () => ['a.csv', 'abc,def,'.repeat(6_250_000)],
    begins: 'abc,def,abc',
    ends: 'def,',
    most: 4_000_000,
  },
  {
    name: 'a list whose style is megabytes long',
    file: () => ['a.html', `<html><ol style="${'list-style:'.repeat(200_000)}"><li>End.</ol>`],
    begins: '1. End.',
    ends: '',
    most: 7,
  },
  {
    name: 'a subtitle of drawings that are never closed',
    file: () => ['a.ass', `[Script Info]\n[Events]\nFormat: Start, Text\nDialogue: 0,End. {${'\\p1'.repeat(200_000)}`],
    begins: 'End. {',
    ends: '',
    most: 600_006,
  },
  {
    name: 'a log that jumps up and erases lines',
    file: () => ['a.log', `${'\n'.repeat(390)}${'\u001b[2J\u001b[1;1Habc'.repeat(50_000)}`],
    begins: 'abc',
    ends: 'abc',
    most: 4,
  },
  {
    name: 'a log of hundreds of thousands of carriage returns',
    file: () => ['a.log', `${'\r'.repeat(300_000)}End.`],
    begins: '',
    ends: 'End.',
    most: 300_004,
  },
])('$name stays small', async ({ file, begins, ends, most }) => {
  const { text } = await read(...file());
  expect([text.slice(0, begins.length), text.slice(text.length - ends.length)]).toEqual([begins, ends]);
  expect(text.length).toBeLessThanOrEqual(most);
});

test.each<[name: string, problem: string, file: () => readonly [name: string, File]]>([
  [
    'an archive that unpacks to a thousand times its size',
    'tooComplex',
    () => ['a.docx', bomb('word/document.xml', ' '.repeat(9_000_000))],
  ],
  [
    'a million empty paragraphs that are compressed',
    'tooComplex',
    () => ['a.docx', bomb('word/document.xml', '<w:p/>'.repeat(1_000_000))],
  ],
  [
    'an archive with very many files',
    'tooComplex',
    () => ['a.docx', archive(Object.fromEntries(Array.from({ length: 20_001 }, (_, index) => [`${index}`, ''])))],
  ],
  ['archives within archives', 'archive', () => ['a.zip', nestedArchives(50)]],
  ['a document nested very deeply', 'tooComplex', () => ['a.docx', docx('<w:p>'.repeat(1_000_000))]],
  ['a page of a million open elements', 'tooComplex', () => ['a.html', `<html>${'<div>'.repeat(1_000_000)}`]],
  ['RTF of a million open groups', 'tooComplex', () => ['a.rtf', `{\\rtf1${'{'.repeat(1_000_000)}`]],
  [
    'a message nested very deeply',
    'tooComplex',
    () => [
      'a.eml',
      mail(
        'multipart/mixed; boundary=q0',
        times(10_000, (index) => `--q${index}\r\nContent-Type: multipart/mixed; boundary=q${index + 1}\r\n\r\n`),
      ),
    ],
  ],
  ['a message of very many lines', 'tooComplex', () => ['a.eml', mail('text/plain', 'a\n'.repeat(2_000_001))]],
  [
    'a message with headers of megabytes',
    'tooComplex',
    () => ['a.eml', `From: ann@example.org\r\n${times(200_000, (index) => `X-${index}: values\r\n`)}\r\nbody`],
  ],
])('%s is not read: %s', async (_name, problem, file) => {
  await expect(read(...file())).rejects.toMatchObject({ problem });
});

test.each<[name: string, file: Uint8Array<ArrayBuffer>]>([
  ['contains itself', pdf('<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Count 2/Kids[2 0 R 2 0 R]>>')],
  [
    'contains itself through its child',
    pdf(
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Count 2/Kids[3 0 R]>>',
      '<</Type/Pages/Parent 2 0 R/Count 2/Kids[2 0 R]>>',
    ),
  ],
  ['claims millions of pages', pdf('<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Count 100000000/Kids[]>>')],
])('a PDF whose tree of pages %s is read to an end', async (_name, file) => {
  const outcome = await readPdfBytes(file).catch((thrown: unknown) => thrown);
  const isText = typeof outcome === 'object' && outcome !== null && 'text' in outcome;
  expect(isText || outcome instanceof Error).toBe(true);
  expect(isText ? (outcome as { text: string }).text : '').toBe('');
});

test('a cell that is repeated millions of times, and entities that contain each other, stay small', async () => {
  const sheet =
    '<office:document><office:body><office:spreadsheet><table:table><table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="16384"><text:p>x</text:p></table:table-cell></table:table-row></table:table>';
  const text =
    '<!DOCTYPE x [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><office:document><office:body><text:p>one &b;</text:p>';
  for (const [source, most] of [
    [sheet, 50_000],
    [text, 20],
  ] as const) {
    const { text: found } = await read('a.fods', source);
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThan(most);
  }
});

test('a text with so many short cells that their separators go beyond the limit is told as cut', async () => {
  const cells = times(90, () => '<c><v>1</v></c>');
  const options = { name: 'a.xlsx', most: 100, largest: 50_000_000, languages: ['en'], pageTime: 60_000 };
  const { text, isCut, leftOut } = await readDocument(new Blob([xlsx(row(cells))]), options);
  expect([text.length, isCut, leftOut]).toEqual([100, true, [] satisfies readonly LeftOut[]]);
});
