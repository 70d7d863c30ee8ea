import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { UnreadableDocument } from '../../../../src/chat/attachments/readers/document.ts';
import { readDocument } from '../../../../src/chat/attachments/readers/read-document.ts';
import { DOCUMENTS, damagedDocument, PDF } from '../../../support/samples/damaged-document.ts';
import { readPdfBytes } from '../../../support/read-pdf-bytes.ts';

/** Damaged versions of each document. `DAMAGED_DOCUMENTS=1000` tries more than the usual run. */
const VERSIONS = Number(process.env['DAMAGED_DOCUMENTS'] ?? 20);

test.each(DOCUMENTS)('damaged versions of %s are read as well as possible or refused with a reason', async (name) => {
  const problems: unknown[] = [];
  for (let version = 1; version <= VERSIONS; version += 1) {
    const file = new Blob([damagedDocument(name, version)]);
    const options = { name, most: 4_000_000, largest: 50_000_000, languages: ['en'] };
    const outcome = await readDocument(file, options).catch((thrown: unknown) => thrown);
    const isText = typeof outcome === 'object' && outcome !== null && 'text' in outcome;
    if (!isText && !(outcome instanceof UnreadableDocument)) problems.push(version, outcome);
  }
  expect(problems).toEqual([]);
});

test('damaged versions of a PDF are read as well as possible or refused', async () => {
  const problems: unknown[] = [];
  for (let version = 1; version <= VERSIONS; version += 1) {
    const outcome = await readPdfBytes(damagedDocument(PDF, version)).catch((thrown: unknown) => thrown);
    const isText = typeof outcome === 'object' && outcome !== null && 'text' in outcome;
    // Other errors than those of pdf.js would be faults of the code that lays out its pages.
    const isRefusal = outcome instanceof Error && outcome.name.endsWith('Exception');
    if (!isText && !isRefusal) problems.push(version, outcome);
  }
  expect(problems).toEqual([]);
});

function archive(name: string, content: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(zipSync({ '[Content_Types].xml': strToU8('<Types/>'), [name]: strToU8(content) }));
}

test.each([
  [
    'an archive that unpacks to a thousand times its size',
    'a.docx',
    archive('word/document.xml', ' '.repeat(9_000_000)),
  ],
  [
    'an archive with very many files',
    'a.docx',
    zipSync(Object.fromEntries(Array.from({ length: 20_001 }, (_, index) => [`${index}`, new Uint8Array()]))),
  ],
  ['a document nested very deeply', 'a.docx', archive('word/document.xml', '<w:p>'.repeat(10_000))],
  ['a page nested very deeply', 'a.html', strToU8(`<html>${'<b>'.repeat(10_000)}`)],
  ['RTF nested very deeply', 'a.rtf', strToU8(`{\\rtf1${'{'.repeat(10_000)}`)],
] as const)('%s is not read', async (_, name, bytes) => {
  const options = { name, most: 4_000_000, largest: 50_000_000, languages: ['en'] };
  await expect(readDocument(new Blob([Uint8Array.from(bytes)]), options)).rejects.toMatchObject({
    problem: 'tooComplex',
  });
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
    const options = { name: 'a.fods', most: 4_000_000, largest: 50_000_000, languages: ['en'] };
    const read = await readDocument(new Blob([source]), options);
    expect(read.text.length).toBeGreaterThan(0);
    expect(read.text.length).toBeLessThan(most);
  }
});
