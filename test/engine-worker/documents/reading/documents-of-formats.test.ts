import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { SearchResult } from '../../../../src/shared/documents/document-objects.ts';
import { DocumentEndpoint } from '../../../support/fakes/document-endpoint.ts';
import { docx, openDocument, p, slides, xlsx } from '../../../support/samples/documents.ts';
import { pdfFile, pdfText } from '../../../support/samples/pdf-file.ts';

const FILES = join(import.meta.dirname, '../../../document-reader/files');

let endpoint: DocumentEndpoint;

beforeEach(() => {
  endpoint = new DocumentEndpoint();
});

/** Indexes a file and searches it. */
async function found(
  content: BlobPart,
  name: string,
  query: string,
  attributes: Readonly<Record<string, unknown>> = {},
): Promise<readonly SearchResult[]> {
  const file = await endpoint.uploaded(content, name);
  const { id } = await endpoint.json<{ id: string }>('POST', '/vector_stores', {});
  await endpoint.json('POST', `/vector_stores/${id}/files`, { file_id: file, attributes });
  await endpoint.indexed(id);
  const { data } = await endpoint.json<{ data: SearchResult[] }>('POST', `/vector_stores/${id}/search`, { query });
  return data;
}

/** A PDF with a page for each text; an empty one has no text. */
const pdf = (...pages: readonly string[]) => new Uint8Array(pdfFile(pages.map((text) => Buffer.from(pdfText(text)))));

test('a passage of a PDF has the number of its page, also after a page without text', async () => {
  const [best] = await found(pdf('Whales eat krill.', '', 'Bread is baked.'), 'a.pdf', 'bread');
  expect(best).toMatchObject({ filename: 'a.pdf', attributes: { page: 3 }, content: [{ text: 'Bread is baked.' }] });
});

test('a PDF of one page has page 1', async () => {
  const [best] = await found(pdf('Whales eat krill.'), 'a.pdf', 'krill');
  expect(best!.attributes).toEqual({ page: 1 });
});

const shape = (text: string) => `<p:sp><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`;

const odpSlide = (text: string, style: string) =>
  `<draw:page draw:name="Slide" draw:style-name="${style}"><draw:frame><text:p>${text}</text:p></draw:frame></draw:page>`;

test('a slide of an OpenDocument presentation is a page, also after a hidden one', async () => {
  const hidden = `<office:automatic-styles><style:style style:name="h"><style:drawing-page-properties presentation:visibility="hidden"/></style:style></office:automatic-styles>`;
  const body =
    odpSlide('Whales eat krill.', 'a') + odpSlide('Nobody sees this.', 'h') + odpSlide('Bread is baked.', 'a');
  const [best] = await found(
    openDocument(`<office:body>${body}</office:body>`, 'presentation', hidden),
    'a.odp',
    'bread',
  );
  expect(best!.attributes).toEqual({ page: 3 });
});

test('a slide is a page', async () => {
  const [best] = await found(slides(shape('Whales eat krill.'), shape('Bread is baked.')), 'a.pptx', 'bread');
  expect(best!.attributes).toEqual({ page: 2 });
});

const FULL = Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`a${index}`, index]));

test.each([
  ['attributes of the client stay beside the page', { year: 2026 }, { year: 2026, page: 1 }],
  ['an attribute `page` of the client stays as it is', { page: 'cover' }, { page: 'cover' }],
  ['a file with as many attributes as there may be gets no page', FULL, FULL],
])('%s', async (_, attributes, expected) => {
  const [best] = await found(pdf('Whales eat krill.'), 'a.pdf', 'krill', attributes);
  expect(best!.attributes).toEqual(expected);
});

test('a text without pages has no page', async () => {
  expect((await found('Whales eat krill.', 'a.txt', 'krill'))[0]!.attributes).toEqual({});
});

test.each([
  ['Windows', 'one\r\n\r\ntwo\r\n'],
  ['Windows, doubled', 'one\r\r\n\r\r\ntwo\r\r\n'],
  ['old Macintosh', 'one\r\rtwo\r'],
])('line ends of %s become line feeds in the text of a file', async (_, content) => {
  const { store, files } = await endpoint.filled({ 'a.txt': content });
  const path = `/vector_stores/${store}/files/${files[0]}/content`;
  expect(await endpoint.json('GET', path)).toMatchObject({ data: [{ text: 'one\n\ntwo\n' }] });
});

test('a file of hundreds of thousands of carriage returns is read to its end', async () => {
  const [best] = await found(`${'\r'.repeat(300_000)}krill`, 'a.txt', 'krill');
  expect(best!.content[0]!.text).toBe('krill');
});

test.each([
  ['ISO-2022-JP, whose bytes are all ASCII', '\u001b$B$3$s$K$A$O\u001b(B\n', 'こんにちは'],
  ['UTF-16 without a byte order mark', Buffer.from('Kai 3: krill\n', 'utf16le'), 'krill'],
  ['Windows-1251', Uint8Array.of(0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x2c, 0x20, 0xec, 0xe8, 0xf0), 'Привет'],
] as const)('a plain text in %s is indexed', async (_, content, query) => {
  expect((await found(content, 'a.txt', query))[0]?.content[0]?.text).toContain(query);
});

const heading = (level: number) => `<w:outlineLvl w:val="${level - 1}"/>`;
const PARAGRAPH = 'word '.repeat(200);

test.each<[string, BlobPart, string]>([
  [
    'DOCX',
    docx([p('Sea', heading(1)), p('Whales', heading(2)), p(PARAGRAPH), p(`krill ${PARAGRAPH}`)].join('')),
    'a.docx',
  ],
  ['HTML', `<!doctype html><h1>Sea</h1><h2>Whales</h2><p>${PARAGRAPH}</p><p>krill ${PARAGRAPH}</p>`, 'a.html'],
])('passages of %s have the headings above them', async (_, content, name) => {
  const [best] = await found(content, name, 'krill');
  expect(best!.content[0]!.text).toMatch(/^Sea > Whales\nkrill word/);
});

const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;

test('each passage of a table has the names of its columns', async () => {
  const rows = [
    ['Animal', 'Food'],
    ...Array.from({ length: 300 }, (_, index) => [`animal${index}`, 'many small things']),
  ];
  const sheet = [...rows, ['whale', 'krill']].map((cells) => `<row>${cells.map(cell).join('')}</row>`).join('');
  const [best] = await found(xlsx(sheet), 'a.xlsx', 'krill');
  expect(best!.content[0]!.text).toMatch(/^.*\nAnimal \| Food\nanimal\d+ \| many small things\n[^]*whale \| krill$/);
});

test('rows of a workbook below a long cell of several paragraphs have the names of the columns', async () => {
  const long = `${'many words '.repeat(30)}\n\n${'more words '.repeat(30)}`;
  const rows = [
    ['Animal', 'Food'],
    ['seal', long],
    ...Array.from({ length: 100 }, (_, index) => [`animal${index}`, 'many small things']),
  ];
  const sheet = [...rows, ['whale', 'krill']].map((cells) => `<row>${cells.map(cell).join('')}</row>`).join('');
  const [best] = await found(xlsx(sheet), 'a.xlsx', 'krill');
  expect(best!.content[0]!.text).toMatch(/^.*\nAnimal \| Food\nanimal\d+ \| many small things\n[^]*whale \| krill$/);
});

test.each([
  ['report-libreoffice.docx', 'Harbour'],
  ['report-libreoffice.odt', 'Harbour'],
  ['report-libreoffice.rtf', 'Harbour'],
  ['report-pandoc.epub', 'Harbour'],
  ['sales-libreoffice.xlsx', 'Anchor'],
  ['slides-libreoffice.pptx', 'Slide'],
  ['html-python.eml', 'Subject'],
])('%s is indexed', async (name, query) => {
  const results = await found(readFileSync(join(FILES, name)), name, query);
  expect(results.length).toBeGreaterThan(0);
});

test.each([
  ['a damaged DOCX', docx(p('Whales')).slice(0, 200), 'a.docx', 'invalid_file', 'damaged'],
  ['an old Office file', Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1), 'a.doc', 'unsupported_file', '.docx'],
  ['a picture', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 1), 'a.png', 'unsupported_file', ''],
])('%s fails and says what to do', async (_, content, name, code, words) => {
  const file = await endpoint.uploaded(content, name);
  const { id } = await endpoint.json<{ id: string }>('POST', '/vector_stores', { file_ids: [file] });
  await endpoint.indexed(id);
  expect(await endpoint.json('GET', `/vector_stores/${id}/files/${file}`)).toMatchObject({
    status: 'failed',
    last_error: { code, message: expect.stringContaining(words) },
  });
});
