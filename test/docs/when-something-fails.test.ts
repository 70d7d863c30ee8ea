import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';
import { API_ERROR_CODES, type ApiErrorCode } from '../../src/shared/api-error.ts';
import { sourceSentences } from './source-sentences.ts';

const PAGE = readFileSync(join(PROJECT_FOLDER, 'docs/when-something-fails.md'), 'utf8');

/** The page's explanation of each error code. */
const SECTIONS = new Map(
  PAGE.split(/^#{2,3} /m).flatMap((section): [string, string][] => {
    const code = /^`(\w+)`\n/.exec(section)?.[1];
    return code === undefined ? [] : [[code, section.slice(section.indexOf('\n')).trim()]];
  }),
);

/** The rows of the page's tables: a sentence and its meaning. */
const ROWS = new Map(
  [...PAGE.matchAll(/^\| (.+?) \| (.+) \|$/gm)]
    .map(([, sentence, meaning]): [string, string] => [sentence!, meaning!])
    .filter(([sentence]) => sentence !== 'sentence' && sentence !== '---'),
);

/**
 * The sentences that status, console or a response may show, except those about a field of a request: their error code
 * is explained instead, because each field has its own sentence.
 */
const SENTENCES = new Set(
  ['page', 'shared', 'service-worker', 'engine-worker']
    .flatMap((context) =>
      readdirSync(join(PROJECT_FOLDER, 'src', context), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.ts'))
        .flatMap((path) => sourceSentences(join(PROJECT_FOLDER, 'src', context, path))),
    )
    .filter(({ code }) => code === null || (code in API_ERROR_CODES && API_ERROR_CODES[code as ApiErrorCode] >= 500))
    .map(({ text }) => text),
);

test.each(Object.keys(API_ERROR_CODES) as ApiErrorCode[])('the page about failures explains the code %s', (code) => {
  const section = SECTIONS.get(code) ?? 'There is no section of this code.';
  expect(section).toContain(String(API_ERROR_CODES[code]));
  expect(section.split(/\s+/).length).toBeGreaterThan(6);
});

test('the page about failures contains no obsolete code', () => {
  expect([...SECTIONS.keys()].filter((code) => !(code in API_ERROR_CODES))).toEqual([]);
});

test('the sentences that can be shown are found in the source', () => {
  expect(SENTENCES.size).toBeGreaterThan(90);
});

test.each([...SENTENCES])('the page about failures explains “%s”', (sentence) => {
  expect(ROWS.get(sentence)).toMatch(/\S/);
});

test('the page about failures contains no obsolete sentence', () => {
  expect([...ROWS.keys()].filter((sentence) => !SENTENCES.has(sentence))).toEqual([]);
});
