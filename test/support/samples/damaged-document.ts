import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { PROJECT_FOLDER } from '../../../src/command-line/project-folders.ts';

const FILES = join(PROJECT_FOLDER, 'test/document-reader/files');

/** A document of each format but PDF, made by another program. */
export const DOCUMENTS = [
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

export const PDF = 'table-fpdf2.pdf';

/**
 * Returns a damaged version of a document: with some bytes changed, removed, repeated or inserted, in an archive also
 * within one of its files.
 * @param version Its number; the same number damages the document in the same way.
 */
export function damagedDocument(name: string, version: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(readFileSync(join(FILES, name)));
  const random = randomNumbers(version);
  return strFromU8(bytes.subarray(0, 2)) === 'PK' ? damagedArchive(bytes, random) : damaged(bytes, random);
}

/** Returns numbers from 0 to below `most`, the same ones in each run. */
function randomNumbers(seed: number): (most: number) => number {
  // Spreads neighbouring seeds, whose first numbers would otherwise be almost the same.
  let state = Math.imul(seed, 2_654_435_761) >>> 0;
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
