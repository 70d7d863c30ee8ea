import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { UnreadableDocument } from '../../../../src/chat/attachments/readers/document.ts';
import { readDocument } from '../../../../src/chat/attachments/readers/read-document.ts';
import { readPdfBytes } from '../../../support/read-pdf-bytes.ts';

const FILES = join(import.meta.dirname, 'files');

/** Damaged versions of each document. `DAMAGED_DOCUMENTS=1000` tries more than the usual run. */
const VERSIONS = Number(process.env['DAMAGED_DOCUMENTS'] ?? 20);

const NAMES = [
  'report-libreoffice.docx',
  'sales-libreoffice.xlsx',
  'slides-libreoffice.pptx',
  'report-odfpy.odt',
  'ships-odfpy.ods',
  'slides-odfpy.odp',
  'report-pandoc.epub',
  'report-pandoc.rtf',
  'report-pandoc.html',
  'html-python.eml',
  'two-python.mbox',
  'cells-nbformat.ipynb',
  'film-pysrt.srt',
  'film-webvtt.vtt',
  'build-rich.log',
];

/** Returns numbers from 0 to below `most`, the same ones in each run. */
function randomNumbers(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

/** Changes, removes, repeats or inserts some bytes. */
function damaged(bytes: Uint8Array, random: (most: number) => number): Uint8Array<ArrayBuffer> {
  let result = Uint8Array.from(bytes);
  for (let step = random(8); step >= 0; step -= 1) {
    const [at, length] = [random(result.length), random(40)];
    const [before, part, after] = [
      result.subarray(0, at),
      result.subarray(at, at + length),
      result.subarray(at + length),
    ];
    const kind = random(5);
    if (kind === 0) result[at] = random(256);
    else if (kind === 1) result = Uint8Array.of(...before, ...after);
    else if (kind === 2) result = Uint8Array.of(...before, ...repeated(part, random(50)), ...after);
    else if (kind === 3) result = Uint8Array.of(...before, ...Array.from(part, () => random(256)), ...after);
    else
      result = Uint8Array.of(
        ...before,
        ...repeated(strToU8('<w:p><div>{\\f1 "\u001b['), random(20)),
        ...part,
        ...after,
      );
  }
  return result;
}

function repeated(part: Uint8Array, times: number): readonly number[] {
  return Array.from({ length: times }, () => [...part]).flat();
}

/** Damages an archive from outside, or a file in it. */
function damagedArchive(bytes: Uint8Array, random: (most: number) => number): Uint8Array<ArrayBuffer> {
  if (random(3) === 0) return damaged(bytes, random);
  const entries = unzipSync(bytes);
  const names = Object.keys(entries);
  const name = names[random(names.length)]!;
  return Uint8Array.from(zipSync({ ...entries, [name]: damaged(entries[name]!, random) }, { level: 0 }));
}

test.each(NAMES)('damaged versions of %s are read as well as possible or refused with a reason', async (name) => {
  const bytes = new Uint8Array(readFileSync(join(FILES, name)));
  const isArchive = strFromU8(bytes.subarray(0, 2)) === 'PK';
  const problems: unknown[] = [];
  for (let version = 1; version <= VERSIONS; version += 1) {
    const random = randomNumbers(version);
    const file = new Blob([isArchive ? damagedArchive(bytes, random) : damaged(bytes, random)]);
    const options = { name, most: 4_000_000, largest: 50_000_000, languages: ['en'] };
    const outcome = await readDocument(file, options).catch((thrown: unknown) => thrown);
    const isText = typeof outcome === 'object' && outcome !== null && 'text' in outcome;
    if (!isText && !(outcome instanceof UnreadableDocument)) problems.push(version, outcome);
  }
  expect(problems).toEqual([]);
});

test('damaged versions of a PDF are read as well as possible or refused', async () => {
  const bytes = new Uint8Array(readFileSync(join(FILES, 'table-fpdf2.pdf')));
  let settled = 0;
  for (let version = 1; version <= VERSIONS; version += 1) {
    await readPdfBytes(damaged(bytes, randomNumbers(version))).catch(() => null);
    settled += 1;
  }
  expect(settled).toBe(VERSIONS);
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
