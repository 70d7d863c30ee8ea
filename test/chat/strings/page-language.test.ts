import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { engineSentences, joinTexts, say } from '../../../src/engine-worker/strings/say.ts';
import { controlFailureStrings } from '../../../src/page/strings/control-failure-strings.ts';
import { errorInPageLanguage, inPageLanguage } from '../../../src/chat/strings/engine-sentences.ts';
import * as format from '../../../src/chat/strings/format.ts';
import * as german from '../../../src/chat/strings/german/german.ts';
import { localized, preferredLanguage, wordFor } from '../../../src/chat/strings/page-language.ts';
import { useLanguage } from '../../../src/chat/strings/use-language.ts';
import { ApiError } from '../../../src/shared/api-error.ts';
import type { CodedSentence } from '../../../src/shared/coded-sentence.ts';
import { GAP, sentencesOf } from '../../support/samples/sentences.ts';

const STRINGS = new URL('../../../src/chat/strings/', import.meta.url);
const files = readdirSync(STRINGS).filter((file) => !/^(format|page-language|use-language|german)/.test(file));
/** Each exported table of English words, by its name. */
const english: Record<string, object> = {};
// One after the other: with concurrent imports, a table once stayed English on a busy machine.
for (const file of files) {
  const module = (await import(new URL(file, STRINGS).href)) as Readonly<Record<string, unknown>>;
  for (const [name, table] of Object.entries(module)) if (typeof table === 'object') english[name] = table as object;
}
/** The English texts, copied before the German ones replace them. */
const englishSentences = Object.fromEntries(Object.entries(english).map(([name, table]) => [name, sentencesOf(table)]));

/** The sentences of the engine, which sends them in English. */
const engineSentencesInEnglish = sentencesOf({
  ...engineSentences,
  cacheStorageSilent: controlFailureStrings.cachesSilent,
});

/** Matches texts that are the same in both languages: names, symbols, and the questions that Pocket understands. */
const ALIKE =
  /^(emptyStrings|developerStrings)\.(builtInQuestions|defaultQuestion|clients)|^markdownStrings\.codeIn$|^modelStrings\.takes\.0$/;

beforeAll(() => {
  vi.stubGlobal('document', { documentElement: {} });
  vi.stubGlobal('navigator', { languages: ['en-GB', 'de-AT'] });
});
afterAll(() => {
  vi.unstubAllGlobals();
});

test('every table of texts has a German one', () => {
  const { engineSentences: _, ...ofPage } = german;
  expect(Object.keys(ofPage).toSorted()).toEqual(Object.keys(english).toSorted());
});

test('no German text equals the English one', () => {
  const { engineSentences: _, ...ofPage } = german;
  for (const [name, table] of Object.entries(ofPage)) {
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

test('each sentence of the engine has a German version with the same values', () => {
  const inGerman = sentencesOf(german.engineSentences);
  expect(Object.keys(inGerman).toSorted()).toEqual(Object.keys(engineSentencesInEnglish).toSorted());
  for (const [code, words] of Object.entries(engineSentencesInEnglish)) {
    expect({ code, values: valuesIn(inGerman[code]!) }).toEqual({ code, values: valuesIn(words) });
    expect(inGerman[code]).not.toBe(words);
  }
});

test('a German page says what the engine reports in German, with numbers in German', () => {
  const { text, sentences } = say('downloadingModel', 1_234_560_000, 2e9);
  expect(text).toBe('Downloading the model, 1,234.6 of 2,000.0 MB');
  expect(inPageLanguage(text, sentences)).toMatch(
    /^Das Modell wird heruntergeladen, 1[.\s\u00A0]234,6 von 2[.\s\u00A0]000 MB$/,
  );
  const error = new ApiError('model_load_failed', joinTexts(say('notGguf'), say('seeConsole')));
  expect(errorInPageLanguage(ApiError.fromData(structuredClone(error.toData())))).toBe(
    `${german.engineSentences.notGguf} ${german.engineSentences.seeConsole}`,
  );
});

test('a text of the engine without codes, or with one of another build, stays English on a German page', () => {
  const ofOtherBuild = { code: 'toString', values: [] } as unknown as CodedSentence;
  expect(inPageLanguage('It failed.')).toBe('It failed.');
  expect(inPageLanguage('It failed.', [])).toBe('It failed.');
  expect(inPageLanguage('Choose another.', [...say('notGguf').sentences, ofOtherBuild])).toBe('Choose another.');
  expect(errorInPageLanguage(new Error('It failed.'))).toBe('It failed.');
});

/** Returns the names and numbers in a text, numbers in the same notation for all languages. */
function valuesIn(text: string): readonly string[] {
  const values: readonly string[] = text.match(/Xyzzy|\d+(?:[.,]\d+)?/g) ?? [];
  return values.map((value) => (value === GAP ? value : String(Number(value.replace(',', '.'))))).toSorted();
}

function wordsOf(name: string): object {
  const tables: Readonly<Record<string, object>> = german;
  return tables[name]!;
}
