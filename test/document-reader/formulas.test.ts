import { expect, test } from 'vitest';
import { readDocument } from '../../src/document-reader/read-document.ts';
import { docx, r } from '../support/samples/documents.ts';

async function read(name: string, file: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const options = { name, most: 4_000_000, largest: 50_000_000, languages: ['en'], pageTime: 60_000 };
  return (await readDocument(new Blob([file]), options)).text;
}

const word = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
const row = (...texts: readonly string[]) => `<mrow>${texts.map((text) => `<mi>${text}</mi>`).join('')}</mrow>`;

test.each([
  [
    'a fraction of letters',
    '<m:f><m:num>a</m:num><m:den>b</m:den></m:f>',
    '<mfrac><mi>a</mi><mi>b</mi></mfrac>',
    'a/b',
  ],
  [
    'a fraction of sums',
    '<m:f><m:num>a+b</m:num><m:den>c+d</m:den></m:f>',
    `<mfrac>${row('a', '+', 'b')}${row('c', '+', 'd')}</mfrac>`,
    '(a+b)/(c+d)',
  ],
  [
    'a fraction in brackets',
    '<m:f><m:num>(a+b)</m:num><m:den>2.5</m:den></m:f>',
    `<mfrac>${row('(', 'a+b', ')')}<mn>2.5</mn></mfrac>`,
    '(a+b)/2.5',
  ],
  [
    'an exponent of several signs',
    '<m:sSup><m:e>e</m:e><m:sup>2x</m:sup></m:sSup>',
    `<msup><mi>e</mi>${row('2', 'x')}</msup>`,
    'e^(2x)',
  ],
  [
    'a negative exponent',
    '<m:sSup><m:e>10</m:e><m:sup>-6</m:sup></m:sSup>',
    '<msup><mn>10</mn><mrow><mo>-</mo><mn>6</mn></mrow></msup>',
    '10^-6',
  ],
  [
    'an index and an exponent',
    '<m:sSubSup><m:e>x</m:e><m:sub>i,j</m:sub><m:sup>2</m:sup></m:sSubSup>',
    `<msubsup><mi>x</mi>${row('i', ',', 'j')}<mn>2</mn></msubsup>`,
    'x_(i,j)^2',
  ],
  ['a square root', '<m:rad><m:deg/><m:e>x+1</m:e></m:rad>', '<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>', '√(x+1)'],
  [
    'a root of a degree',
    '<m:rad><m:deg>3</m:deg><m:e>x+1</m:e></m:rad>',
    `<mroot>${row('x', '+', '1')}<mn>3</mn></mroot>`,
    '(x+1)^(1/3)',
  ],
  [
    'a fraction in a fraction under a root',
    '<m:f><m:num>1</m:num><m:den><m:rad><m:deg/><m:e><m:f><m:num>a</m:num><m:den>b</m:den></m:f></m:e></m:rad></m:den></m:f>',
    '<mfrac><mn>1</mn><msqrt><mfrac><mi>a</mi><mi>b</mi></mfrac></msqrt></mfrac>',
    '1/√(a/b)',
  ],
  [
    'a matrix',
    '<m:m><m:mr><m:e>1</m:e><m:e><m:f><m:num>a</m:num><m:den>2</m:den></m:f></m:e></m:mr><m:mr><m:e>3</m:e><m:e>4</m:e></m:mr></m:m>',
    '<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mfrac><mi>a</mi><mn>2</mn></mfrac></mtd></mtr><mtr><mtd><mn>3</mn></mtd><mtd><mn>4</mn></mtd></mtr></mtable>',
    '1 a/2; 3 4',
  ],
  [
    'several equations',
    '<m:eqArr><m:e>x=1</m:e><m:e>y=2</m:e></m:eqArr>',
    `<mtable><mtr><mtd>${row('x', '=', '1')}</mtd></mtr><mtr><mtd>${row('y', '=', '2')}</mtd></mtr></mtable>`,
    'x=1; y=2',
  ],
  [
    'a limit',
    '<m:limLow><m:e>lim</m:e><m:lim>x→0</m:lim></m:limLow>',
    `<munder><mo>lim</mo>${row('x', '→', '0')}</munder>`,
    'lim_(x→0)',
  ],
])('%s of a DOCX and of HTML stays the same formula on one line', async (_, office, html, text) => {
  const runs = office.replace(/>([^<>]+)</g, (_match, words: string) => `>${word(words)}<`);
  expect(await read('a.docx', docx(`<w:p>${r('Here ')}<m:oMath>${runs}</m:oMath>${r(' ends')}</w:p>`))).toBe(
    `Here ${text} ends`,
  );
  expect(await read('a.html', `<html><p>Here <math>${html}</math> ends`)).toBe(`Here ${text} ends`);
});

test('the sum of a DOCX and of HTML has its limits', async () => {
  const limits = `<m:sub>${word('i=1')}</m:sub><m:sup>${word('n')}</m:sup><m:e>${word('k')}</m:e>`;
  const file = docx(`<w:p><m:oMath><m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr>${limits}</m:nary></m:oMath></w:p>`);
  expect(await read('a.docx', file)).toBe('∑_(i=1)^nk');
  const html = `<html><math><munderover><mo>∑</mo>${row('i', '=', '1')}<mi>n</mi></munderover><mi>k</mi></math>`;
  expect(await read('a.html', html)).toBe('∑_(i=1)^nk');
});

test('a letter with a line above it, and a formula of thousands of fractions, are read', async () => {
  expect(await read('a.html', '<html><math><mover><mi>x</mi><mo>¯</mo></mover></math>')).toBe('x¯');
  const deep = `${'<mfrac><mi>a</mi>'.repeat(1000)}<mi>b</mi>${'</mfrac>'.repeat(1000)}`;
  expect(await read('a.html', `<html><math>${deep}</math>`)).toMatch(/^a\/\(a\/\(a/);
});

test.each([
  ['of an item', '<ul><li><math><mfrac><mi>a</mi><mi>b</mi></mfrac></math> is</ul>', '- a/b is'],
  ['of a numbered item', '<ol><li><math><msqrt><mi>a</mi></msqrt></math></ol>', '1. √(a)'],
  ['of a heading', '<h2><math><msup><mi>a</mi><mn>2</mn></msup></math></h2>', '## a^2'],
  ['of a raised formula', 'x<sup><math><mfrac><mi>a</mi><mi>b</mi></mfrac></math></sup>', 'x^a/b'],
])('the mark %s is no part of a formula that it begins with', async (_, body, expected) => {
  expect(await read('a.html', `<!doctype html><body>${body}`)).toBe(expected);
});
