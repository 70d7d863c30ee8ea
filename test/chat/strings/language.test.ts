import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { downloadFailureStrings } from '../../../src/engine-worker/strings/download-failures.ts';
import { chosenFileStrings, ggufFitStrings, ggufStrings } from '../../../src/engine-worker/strings/gguf.ts';
import { deviceFitStrings, loadingStrings } from '../../../src/engine-worker/strings/model-loading.ts';
import { failureStrings } from '../../../src/page/strings/failures.ts';
import * as format from '../../../src/chat/strings/format.ts';
import { engineSentence } from '../../../src/chat/strings/german/engine-sentences.ts';
import * as german from '../../../src/chat/strings/german/german.ts';
import { localized, preferredLanguage, wordFor } from '../../../src/chat/strings/language.ts';
import { useLanguage } from '../../../src/chat/strings/use-language.ts';
import { sentencesOf } from '../../support/samples/sentences.ts';

const STRINGS = new URL('../../../src/chat/strings/', import.meta.url);
const files = readdirSync(STRINGS).filter((file) => !/^(format|language|use-language|german)/.test(file));
/** Each exported table of English words, by its name. */
const english: Readonly<Record<string, object>> = Object.fromEntries(
  (
    await Promise.all(files.map((file) => import(new URL(file, STRINGS).href) as Promise<Record<string, unknown>>))
  ).flatMap((module) =>
    Object.entries(module).filter((entry): entry is [string, object] => typeof entry[1] === 'object'),
  ),
);
/** The English texts, copied before the German ones replace them. */
const englishSentences = Object.fromEntries(Object.entries(english).map(([name, table]) => [name, sentencesOf(table)]));

/** Matches texts that are the same in both languages: names, symbols, and the questions that Pocket understands. */
const ALIKE =
  /^(emptyStrings|developerStrings)\.(pocketQuestions|defaultQuestion|clients)|^(modelStrings|ggufStrings)\.reasons$|^markdownStrings\.codeIn$|^modelStrings\.takes\.0$/;

beforeAll(() => {
  vi.stubGlobal('document', { documentElement: {} });
  vi.stubGlobal('navigator', { languages: ['en-GB', 'de-AT'] });
});
afterAll(() => {
  vi.unstubAllGlobals();
});

test('every table of texts has a German one', () => {
  expect(Object.keys(german).toSorted()).toEqual(Object.keys(english).toSorted());
});

test('no German text equals the English one', () => {
  for (const [name, table] of Object.entries(german)) {
    const sentences = sentencesOf(table);
    expect(Object.keys(sentences).toSorted()).toEqual(Object.keys(englishSentences[name]!).toSorted());
    const same = Object.entries(sentences).filter(
      ([path, words]) =>
        words === englishSentences[name]![path] &&
        /\p{L}{2}.*\s.*\p{L}{2}/u.test(words) &&
        !ALIKE.test(`${name}.${path}`),
    );
    expect(same).toEqual([]);
  }
});

test.each([
  { chosen: null, ofBrowser: ['fr-FR', 'de-CH', 'en'], language: 'de' },
  { chosen: null, ofBrowser: ['en-US', 'de'], language: 'en' },
  { chosen: null, ofBrowser: ['fr', 'ja'], language: 'en' },
  { chosen: null, ofBrowser: [], language: 'en' },
  { chosen: 'de', ofBrowser: ['en'], language: 'de' },
  { chosen: 'en', ofBrowser: ['de'], language: 'en' },
  { chosen: 'tlh', ofBrowser: ['de'], language: 'de' },
])('chosen $chosen, with a browser of $ofBrowser, the page speaks $language', ({ chosen, ofBrowser, language }) => {
  expect(preferredLanguage(chosen, ofBrowser)).toBe(language);
});

test("a text is found only by the table's own names", () => {
  expect(wordFor('one', { one: 'eins' })).toBe('eins');
  expect(wordFor('constructor', { one: 'eins' })).toBeUndefined();
});

test("numbers and times follow the language of the page, in the browser's regional variant", async () => {
  expect(format.formatNumber(1234.56, 1)).toBe('1,234.6');
  expect(format.formatBytes(1_234_000_000)).toBe('1.2\u00a0GB');
  expect(format.formatDate(Date.UTC(2026, 10, 22, 12))).toBe('22/11/2026');
  expect(format.formatCount(1.5e9)).toBe('1.5 billion');

  await useLanguage('de');
  expect(document.documentElement.lang).toBe('de');
  expect(format.formatNumber(1234.56, 1)).toMatch(/^1[.\s\u00A0]234,6$/);
  expect(format.formatBytes(1_234_000_000)).toBe('1,2\u00a0GB');
  expect(format.formatBytes(999)).toBe('999\u00a0B');
  expect(format.formatBytes(Infinity)).toBe('∞');
  expect(format.formatDuration(3900)).toBe('1\u00a0h 5\u00a0min');
  expect(format.formatDuration(0)).toBe('1\u00a0s');
  expect(format.formatMilliseconds(1340)).toBe('1,3 s');
  expect(format.formatMilliseconds(340)).toBe('340 ms');
  expect(format.formatDate(Date.UTC(2026, 10, 22, 12))).toBe('22.11.2026');
  expect(format.formatCount(1.5e9)).toBe('1,5 Milliarden');
  expect(format.formatCount(360e6)).toBe('360 Millionen');
});

test('with the page in German every table is German, also one that loads later, and plurals are right', () => {
  for (const [name, table] of Object.entries(english)) {
    expect({ name, ...sentencesOf(table) }).toEqual({ name, ...sentencesOf(wordsOf(name)) });
  }
  expect(localized('copyStrings', { copied: 'Copied', failed: 'x' }).copied).toBe('Kopiert');
  const { upstreamStrings, privacyStrings, importStrings } = german;
  expect(upstreamStrings.sentSome(1, 10)).toMatch(/^1 Anfrage,/);
  expect(upstreamStrings.sentSome(2, 10)).toMatch(/^2 Anfragen,/);
  expect(privacyStrings.entries(1)).toBe('1 Datei');
  expect(privacyStrings.answers.total(1, 10)).toMatch(/^1 Antwort,/);
  expect(importStrings.added(1, 0)).toBe('Ein Chat importiert.');
});

test('every sentence of the engine that a user sees has a German version', () => {
  const { parts: _, deletedCopy: __, ...ggufFaults } = ggufStrings;
  const tables = [
    deviceFitStrings,
    downloadFailureStrings,
    loadingStrings,
    ggufFaults,
    ggufFitStrings,
    chosenFileStrings,
  ];
  const sentences = tables.flatMap((table) => Object.values(sentencesOf(table)));
  expect(sentences.length).toBeGreaterThan(40);
  expect(sentences.filter((sentence) => engineSentence(sentence) === sentence)).toEqual([]);
});

test("the page's sentence about unresponsive caches has a German version", () => {
  expect(engineSentence(failureStrings.cachesSilent)).toContain('starte ihn neu');
});

function wordsOf(name: string): object {
  const tables: Readonly<Record<string, object>> = german;
  return tables[name]!;
}
