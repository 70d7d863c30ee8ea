import { expect, test } from 'vitest';
import { readDocument } from '../../src/document-reader/read-document.ts';
import { docx, latin, openDocument, r, slides, xlsx } from '../support/samples/documents.ts';

const odt = (body: string) => {
  const styles = ['super 58%', '33% 58%', 'sub 58%', '-33% 58%', '0% 100%'].map(
    (position, index) =>
      `<style:style style:name="T${index}"><style:text-properties style:text-position="${position}"/></style:style>`,
  );
  return openDocument(
    `<office:automatic-styles>${styles.join('')}</office:automatic-styles><office:body>${body}</office:body>`,
  );
};
const span = (style: number, text: string) => `<text:span text:style-name="T${style}">${text}</text:span>`;
const run = (text: string, baseline = '') => `<a:r><a:rPr ${baseline}/><a:t>${text}</a:t></a:r>`;
const note =
  '<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Note</text:p></text:note-body></text:note>';
const rich = (text: string, align = '') => `<r><rPr>${align && `<vertAlign val="${align}"/>`}</rPr><t>${text}</t></r>`;

test.each([
  [
    'a.rtf',
    latin(
      String.raw`{\rtf1 10{\super 6} H{\sub 2}O 5\super 3\nosupersub  m\super {\b 2}\super0  x\par 2{\super 3}\par{\super 4} y}`,
    ),
    '10^6 H_2O 5^3 m^2 x\n2^3\n^4 y',
  ],
  ['a.rtf', latin(String.raw`{\rtf1 Text{\super \chftn{\footnote{\super\chftn} Note}} on}`), 'Text [1] on\n\n[1] Note'],
  [
    'a.odt',
    odt(
      `<text:p>10${span(0, '-')}${span(1, '6')} H${span(2, '2')}O x${span(3, 'i')} ${span(4, 'y')}</text:p><text:p>${span(0, '4')} z</text:p>`,
    ),
    '10^-6 H_2O x_i y\n\n^4 z',
  ],
  ['a.odt', odt(`<text:p>Text${span(0, note)} on</text:p>`), 'Text [1] on\n[1] Note'],
  [
    'a.pptx',
    slides(
      `<p:sld><p:sp><a:p>${run('10')}${run('-', 'baseline="30000"')}${run('6', 'baseline="30000"')}${run(' H')}${run('2', 'baseline="-25000"')}${run('O')}</a:p><a:p>${run('x')}</a:p></p:sp></p:sld>`,
    ),
    '# 1\n\n10^-6 H_2O\nx',
  ],
  [
    'a.xlsx',
    xlsx('<sheetData><row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row></sheetData>', {
      'xl/sharedStrings.xml': `<sst><si>${rich('10 m')}${rich('2', 'superscript')}</si><si>${rich('2', 'subscript')}<t> a</t></si></sst>`,
    }),
    '# S\n\n10 m^2 | _2 a',
  ],
  ['a.docx', docx(`<w:p>${r('10')}${r('6', '<w:vertAlign w:val="superscript"/>')}${r(' m')}</w:p>`), '10^6 m'],
] as const)(
  'exponents and indexes of %s are marked, so that none becomes part of a number',
  async (name, file, text) => {
    const options = { name, most: 4_000_000, largest: 50_000_000, languages: ['en'], pageTime: 60_000 };
    expect((await readDocument(new Blob([file]), options)).text).toBe(text);
  },
);
