import { expect, test } from 'vitest';
import { readDocument } from '../../src/document-reader/read-document.ts';
import { docx, openDocument, p } from '../support/samples/documents.ts';

async function read(name: string, file: Uint8Array<ArrayBuffer>): Promise<string> {
  const options = { name, most: 4_000_000, largest: 50_000_000, languages: ['en'], pageTime: 60_000 };
  return (await readDocument(new Blob([file]), options)).text;
}

const levelOf = (attributes: string) =>
  `<text:list-level-style-number text:level="1" style:num-suffix="." ${attributes}/>`;
const style = (name: string, attributes = 'style:num-format="1"') =>
  `<text:list-style style:name="${name}">${levelOf(attributes)}</text:list-style>`;
const item = (text: string, attributes = '') =>
  `<text:list-item ${attributes}><text:p>${text}</text:p></text:list-item>`;
const list = (attributes: string, ...items: readonly string[]) =>
  `<text:list text:style-name="L" ${attributes}>${items.map((one) => (one.startsWith('<') ? one : item(one))).join('')}</text:list>`;
const odt = (body: string, styles: string) =>
  openDocument(`<office:automatic-styles>${styles}</office:automatic-styles><office:body>${body}</office:body>`);
const GAP = '<text:p>-</text:p>';

test.each([
  [
    'that goes on after a paragraph',
    list('', 'a', 'b') + GAP + list('text:continue-numbering="true"', 'c'),
    '1. a\n2. b\n\n-\n\n3. c',
  ],
  [
    'that goes on after another list',
    list('xml:id="one"', 'a') + list('', 'b', 'c') + list('text:continue-list="one"', 'd') + list('', 'e'),
    '1. a\n\n1. b\n2. c\n\n2. d\n\n1. e',
  ],
  ['that begins anew', list('', 'a') + GAP + list('', 'b'), '1. a\n\n-\n\n1. b'],
  [
    'with an item that has another number',
    list('', 'a', item('b', 'text:start-value="7"'), 'c', item('d', 'text:start-value="0"')),
    '1. a\n7. b\n8. c\n0. d',
  ],
  ['that would go on, but is the first one', list('text:continue-numbering="true"', 'a'), '1. a'],
])('the items of an ODT list have their numbers, of one %s', async (_, body, text) => {
  expect(await read('a.odt', odt(body, style('L')))).toBe(text);
});

test.each([
  ['style:num-format="1" text:start-value="0"', '0. a\n1. b'],
  ['style:num-format="一, 二, 三, ..." text:start-value="10"', '十. a\n十一. b'],
  ['style:num-format="①, ②, ③, ..."', '①. a\n②. b'],
  ['style:num-format="А, Б, .., Аа, Аб, ... (ru)"', 'А. a\nБ. b'],
])('the items of an ODT list with the style %s have its numbers', async (attributes, text) => {
  expect(await read('a.odt', odt(list('', 'a', 'b'), style('L', attributes)))).toBe(text);
});

const outlineLevel = (number: number, attributes: string) =>
  `<text:outline-level-style text:level="${number}" ${attributes}/>`;
const h = (number: number, text: string, attributes = '') =>
  `<text:h text:outline-level="${number}" ${attributes}>${text}</text:h>`;

test('headings of an ODT have the numbers that their levels have', async () => {
  const outline = `<office:styles><text:outline-style style:name="Outline">${outlineLevel(1, 'style:num-format="1" style:num-suffix="."')}${outlineLevel(2, 'style:num-format="1" text:display-levels="2"')}${outlineLevel(3, 'style:num-format=""')}</text:outline-style></office:styles>`;
  const body = `<office:body>${h(1, 'a')}${h(2, 'b')}${h(2, 'c')}${h(3, 'd')}${h(1, 'Preface', 'text:is-list-header="true"')}${h(1, 'e')}${h(2, 'f')}</office:body>`;
  expect(await read('a.odt', openDocument(body, 'text', outline))).toBe(
    '# 1. a\n\n## 1.1 b\n\n## 1.2 c\n\n### d\n\n# Preface\n\n# 2. e\n\n## 2.1 f',
  );
});

const numbered = (start: number, format: string, pattern: string) =>
  docx(p('x', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="7"/></w:numPr>'), {
    'numbering.xml': `<w:numbering><w:abstractNum w:abstractNumId="3"><w:lvl w:ilvl="0"><w:start w:val="${start}"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${pattern}"/></w:lvl></w:abstractNum><w:num w:numId="7"><w:abstractNumId w:val="3"/></w:num></w:numbering>`,
  });

test.each([
  ['chineseCountingThousand', 1, '第一条'],
  ['chineseCountingThousand', 10, '第十条'],
  ['chineseCountingThousand', 12, '第十二条'],
  ['chineseCountingThousand', 20, '第二十条'],
  ['chineseCountingThousand', 101, '第一百零一条'],
  ['chineseCountingThousand', 110, '第一百一十条'],
  ['chineseCountingThousand', 1000, '第一千条'],
  ['chineseCountingThousand', 2005, '第二千零五条'],
  ['taiwaneseCountingThousand', 35, '第三十五条'],
  ['chineseCounting', 11, '第十一条'],
  ['chineseCounting', 101, '第一〇一条'],
  ['japaneseCounting', 11, '第十一条'],
  ['japaneseCounting', 101, '第百一条'],
  ['japaneseCounting', 210, '第二百十条'],
  ['ideographDigital', 20, '第二〇条'],
  ['ideographTraditional', 3, '第丙条'],
  ['ideographTraditional', 11, '第11条'],
  ['decimalEnclosedCircle', 2, '第②条'],
  ['ganada', 2, '第나条'],
  ['russianLower', 10, '第к条'],
  ['chineseCounting', 0, '第0条'],
  ['chineseCountingThousand', 12_345, '第12345条'],
  ['toString', 4, '第4条'],
])('an item of a DOCX list in the format %s with the number %s is %s', async (format, start, label) => {
  expect(await read('a.docx', numbered(start, format, '第%1条'))).toBe(`${label} x`);
});

test('the items of a DOCX list whose levels a list style has are numbered', async () => {
  const level = '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="§ %1"/></w:lvl>';
  const file = docx(p('One', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="7"/></w:numPr>'), {
    'numbering.xml': `<w:numbering><w:abstractNum w:abstractNumId="3"><w:numStyleLink w:val="Clauses"/></w:abstractNum><w:abstractNum w:abstractNumId="4"><w:styleLink w:val="Clauses"/>${level}</w:abstractNum><w:num w:numId="7"><w:abstractNumId w:val="3"/></w:num></w:numbering>`,
  });
  expect(await read('a.docx', file)).toBe('§ 1 One');
});

/** Paragraphs of lists, each of a list and a level. */
const items = (...places: readonly (readonly [list: number, level: number])[]) =>
  places.map(([id, level]) => p('x', `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${id}"/></w:numPr>`)).join('');
const override = (level: number, start: number) =>
  `<w:lvlOverride w:ilvl="${level}"><w:startOverride w:val="${start}"/></w:lvlOverride>`;

test.each([
  ['two lists of one definition', items([1, 0], [1, 0], [2, 0], [1, 0]), '1. 2. 3. 4.'],
  [
    'a list that begins anew, after which the first one goes on',
    items([1, 0], [1, 0], [3, 0], [3, 0], [1, 0]),
    '1. 2. 1. 2. 3.',
  ],
  ['levels that belong to another list', items([1, 0], [2, 1], [1, 1], [1, 0], [2, 1]), '1. 1.1 1.2 2. 2.1'],
  [
    'an inner level that begins anew at another number',
    items([1, 0], [4, 1], [4, 1], [1, 0], [4, 1]),
    '1. 1.5 1.6 2. 2.5',
  ],
  ['lists of two definitions', items([1, 0], [5, 0], [1, 0], [5, 0]), '1. 1. 2. 2.'],
  ['an inner level that goes on', items([6, 0], [6, 1], [6, 1], [6, 0], [6, 1]), '1. 1.1 1.2 2. 2.3'],
])('the items of a DOCX are counted as Word counts them: %s', async (_, body, labels) => {
  const levels = ['%1.', '%1.%2'].map(
    (pattern, level) =>
      `<w:lvl w:ilvl="${level}"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="${pattern}"/></w:lvl>`,
  );
  const definitions = [
    levels,
    levels,
    [levels[0], levels[1]!.replace('</w:lvl>', '<w:lvlRestart w:val="0"/></w:lvl>')],
  ].map((own, id) => `<w:abstractNum w:abstractNumId="${id}">${own.join('')}</w:abstractNum>`);
  const lists = [
    [1, 0, ''],
    [2, 0, ''],
    [3, 0, override(0, 1)],
    [4, 0, override(1, 5)],
    [5, 1, ''],
    [6, 2, ''],
  ].map(([id, of, more]) => `<w:num w:numId="${id}"><w:abstractNumId w:val="${of}"/>${more}</w:num>`);
  const file = docx(body, { 'numbering.xml': `<w:numbering>${definitions.join('')}${lists.join('')}</w:numbering>` });
  expect((await read('a.docx', file)).match(/[\d.]+/g)?.join(' ')).toBe(labels);
});

const officeLevel = (ilvl: number, format: string, pattern: string, more = '') =>
  `<w:lvl w:ilvl="${ilvl}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${pattern}"/></w:lvl>`;

test('the sections of the articles of a DOCX are numbered in digits where it says so', async () => {
  const levels =
    officeLevel(0, 'upperRoman', 'Article %1.') + officeLevel(1, 'decimalZero', 'Section %1.%2', '<w:isLgl/>');
  const file = docx(items([1, 0], [1, 0], [1, 1]), {
    'numbering.xml': `<w:numbering><w:abstractNum w:abstractNumId="0">${levels}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
  });
  expect(await read('a.docx', file)).toBe('Article I. x\nArticle II. x\n  Section 2.01 x');
});
