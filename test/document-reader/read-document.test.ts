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
  ['old Macintosh, of numbers', '1,2\r3,4\r5,6', '1,2\n3,4\n5,6'],
  ['old Macintosh, of single letters', 'a\rb\rc\r', 'a\nb\nc\n'],
  ['old Macintosh, of dates and numbers', '01/02/2024,5\r02/02/2024,7\r', '01/02/2024,5\n02/02/2024,7\n'],
  ['old Macintosh, whose lines repeat words', 'Room 101\rRoom 102\rRoom 103\r', 'Room 101\nRoom 102\nRoom 103\n'],
  ['old Macintosh, whose lines are the same', 'yes\ryes\r', 'yes\nyes\n'],
  ['old Macintosh, with a line feed at the end', 'Room 101\rRoom 102\n', 'Room 101\nRoom 102\n'],
  ['mixed, of numbers', '1,2\r3,4\nend\n', '1,2\n3,4\nend\n'],
  ['Windows, doubled', 'one\r\r\ntwo\r\r\n', 'one\ntwo\n'],
])('line ends of %s become line feeds, and no line is lost', async (_, text, expected) => {
  expect((await read(new TextEncoder().encode(text), 'a.txt')).text).toBe(expected);
});

test.each([
  ['shares', 'Fetching 1%\rFetching 50%\rFetching 100%', 'Fetching 100%'],
  [
    'a share that ends with a word',
    'Reading lists... 0%\rReading lists... 50%\rReading lists... Done',
    'Reading lists... Done',
  ],
  ['numbers of so many', 'a\nFile 1/3\rFile 2/3\rFile 3/3\nb\n', 'a\nFile 3/3\nb\n'],
  ['shares without words', ' 10%\r 55%\r100%\nEnd\n', '100%\nEnd\n'],
  ['a growing number', 'Start\nCounting objects: 1\rCounting objects: 12\nEnd\n', 'Start\nCounting objects: 12\nEnd\n'],
  ['a turning sign', 'Start\n|\r/\r-\rdone\nEnd\n', 'Start\ndone\nEnd\n'],
])('of progress that is told by %s, the last state is read', async (_, text, expected) => {
  expect((await read(new TextEncoder().encode(text), 'a.log')).text).toBe(expected);
});
