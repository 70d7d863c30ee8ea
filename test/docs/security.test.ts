import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';

const readText = (path: string) => readFileSync(join(PROJECT_FOLDER, path), 'utf8');

const DOCUMENT = readText('SECURITY.md');

/** The sections about what is promised and about hostile data. */
const PROMISES = DOCUMENT.slice(DOCUMENT.indexOf('## What is promised'), DOCUMENT.indexOf('## What is not promised'));

const NAMED_TESTS = [...DOCUMENT.matchAll(/\[“([^”]+)”\]\((test\/[^)]+)\)/g)].map(([, name, path]) => ({
  name: name!.replaceAll(/\s+/g, ' '),
  path: path!,
}));

test.each(NAMED_TESTS)('SECURITY.md names a test that exists: $name', ({ name, path }) => {
  expect(readText(path)).toContain(name);
});

const paragraphs = PROMISES.split(/\n\n(?=\*\*)/)
  .slice(1)
  .map((paragraph) => ({ promise: /\*\*(.+?)\*\*/s.exec(paragraph)![1]!.replaceAll('\n', ' '), paragraph }));

test.each(paragraphs)('the promise "$promise" names its tests', ({ paragraph }) => {
  expect(paragraph).toMatch(/\]\(test\//);
});

test('each link to a test has its name', () => {
  expect([...DOCUMENT.matchAll(/\]\(test\//g)]).toHaveLength(NAMED_TESTS.length);
});
