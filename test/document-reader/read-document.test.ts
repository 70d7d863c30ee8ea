import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readDocument } from '../../src/document-reader/read-document.ts';
import type { ReadDocument } from '../../src/shared/documents/document-reading.ts';
import { commonSubsequence, shareOfWords, wordsOf } from '../support/word-order.ts';

/** Documents that `files/make-files.py` made with other programs, and the words that a person sees in them. */
const FILES = join(import.meta.dirname, 'files');
const EXPECTED = JSON.parse(readFileSync(join(FILES, 'expected.json'), 'utf8')) as Record<string, readonly string[]>;
const DOCUMENTS = readdirSync(FILES).filter((name) => !/\.(?:py|json|pdf)$/.test(name));

function read(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<ReadDocument> {
  return readDocument(new Blob([bytes]), {
    name,
    most: 4_000_000,
    largest: 50_000_000,
    languages: ['en'],
    pageTime: 60_000,
  });
}

function fileOf(name: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(readFileSync(join(FILES, name)));
}

test.each(DOCUMENTS)('every word that a person sees in %s is read, in its order', async (name) => {
  const expected = wordsOf(EXPECTED[name]!.join('\n'));
  const found = wordsOf((await read(fileOf(name), name)).text);
  expect({ words: shareOfWords(expected, found), order: commonSubsequence(expected, found) / expected.length }).toEqual(
    {
      words: 1,
      order: 1,
    },
  );
});

test.each([
  ['Windows', 'one\r\ntwo\r\n', 'one\ntwo\n'],
  ['old Macintosh', 'name,city\rAnna,Oslo\r', 'name,city\nAnna,Oslo\n'],
  ['mixed', 'name\rcity\nend\r\n', 'name\ncity\nend\n'],
])('line ends of %s become line feeds, and no line is lost', async (_, text, expected) => {
  expect((await read(new TextEncoder().encode(text), 'a.txt')).text).toBe(expected);
});
