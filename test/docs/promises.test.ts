import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';
import { DOCUMENT_PROMISES } from './promises/document-promises.ts';
import { PAGE_PROMISES } from './promises/page-promises.ts';
import { REMARKS } from './promises/remarks.ts';
import { isPromise } from './promises/promise-words.ts';
import { readSentences } from './read-sentences.ts';

/**
 * Documents whose sentences are no promises to users: figures, reports to other projects, steps for maintainers, and
 * texts of errors.
 */
const WITHOUT_PROMISES = new Set([
  'measured',
  'upstream-reports',
  'releasing',
  'debugging',
  'when-something-fails',
  'porting',
]);

const STRINGS = 'src/chat/strings';

const SOURCES = [
  'README.md',
  'ARCHITECTURE.md',
  'SECURITY.md',
  ...readdirSync(join(PROJECT_FOLDER, 'docs'))
    .filter((name) => name.endsWith('.md') && !WITHOUT_PROMISES.has(name.slice(0, -3)))
    .map((name) => `docs/${name}`),
  ...readdirSync(join(PROJECT_FOLDER, STRINGS))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${STRINGS}/${name}`),
];

/** Where the sentences of a document begin that name no tests themselves, as `security.test.ts` checks. */
const BEGINNINGS: Readonly<Record<string, string>> = { 'SECURITY.md': '## What is not promised' };

const PROMISES = { ...DOCUMENT_PROMISES, ...PAGE_PROMISES };

test.each(SOURCES)('each sentence of %s that promises privacy is in the table of promises', (source) => {
  const known = new Set([...(PROMISES[source] ?? []).map(({ says }) => says), ...(REMARKS[source] ?? [])]);
  const found = readSentences(source, BEGINNINGS[source]).filter(isPromise);
  expect(found.filter((sentence) => !known.has(sentence))).toEqual([]);
});

test.each([...new Set([...Object.keys(PROMISES), ...Object.keys(REMARKS)])])(
  'the table of promises has no sentence that %s lacks',
  (source) => {
    const sentences = new Set(readSentences(source));
    const listed = [...(PROMISES[source] ?? []).map(({ says }) => says), ...(REMARKS[source] ?? [])];
    expect(listed.filter((sentence) => !sentences.has(sentence))).toEqual([]);
  },
);

const BOUND = [
  ...new Map(
    Object.values(PROMISES)
      .flat()
      .flatMap(({ tests }) => tests)
      .map((bound) => [`${bound.file}: ${bound.title}`, bound]),
  ).values(),
];

test.each(BOUND)('a promise is bound to a test that exists: $file, $title', ({ file, title }) => {
  const text = readFileSync(join(PROJECT_FOLDER, file), 'utf8');
  const place = text.indexOf(title);
  expect(place).toBeGreaterThan(0);
  // A skipped test shows nothing.
  const before = text.slice(0, place);
  const call = before.slice(Math.max(before.lastIndexOf('test'), before.lastIndexOf('\n')));
  expect(call).not.toMatch(/skip|fixme|todo/);
  expect(text).not.toMatch(/describe\.(?:skip|fixme|todo)|^test\.(?:skip|fixme)\(true/m);
});

test.each(
  Object.entries(PROMISES).flatMap(([source, promises]) => promises.map((promise) => ({ source, ...promise }))),
)('the promise “$says” has a condition and a test', ({ when, tests }) => {
  expect(when).not.toBe('');
  expect(tests).not.toEqual([]);
});
