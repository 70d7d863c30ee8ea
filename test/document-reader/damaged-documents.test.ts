import { expect, test } from 'vitest';
import { UnreadableDocument } from '../../src/document-reader/unreadable-document.ts';
import { readDocument } from '../../src/document-reader/read-document.ts';
import { DOCUMENTS, damagedDocument, PDF } from '../support/samples/damaged-document.ts';
import { readPdfBytes } from '../support/read-pdf-bytes.ts';

/** Damaged versions of each document. `DAMAGED_DOCUMENTS=1000` tries more than the usual run. */
const VERSIONS = Number(process.env['DAMAGED_DOCUMENTS'] ?? 20);

test.each(DOCUMENTS)('damaged versions of %s are read as well as possible or refused with a reason', async (name) => {
  const problems: unknown[] = [];
  for (let version = 1; version <= VERSIONS; version += 1) {
    const file = new Blob([damagedDocument(name, version)]);
    const options = { name, most: 4_000_000, largest: 50_000_000, languages: ['en'], pageTime: 60_000 };
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
