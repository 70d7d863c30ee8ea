import { expect, test } from 'vitest';
import { searchTerms } from '../../../src/shared/documents/search-terms.ts';

test.each<[text: string, sought: string]>([
  ['Baked bread', 'baking'],
  ['Häuser', 'hauser'],
  ['Straße', 'STRASSE'],
  ['STRAẞE', 'Straße'],
  ['Donau\u00addampf\u00adschiff', 'Donaudampfschiff'],
  ['كتـــاب', 'كتاب'],
  ['naïve', 'naive'],
  ['cœur', 'coeur'],
  ['Ёлка', 'елка'],
  ['Σίσυφος', 'σισυφος'],
  ['ﬁle', 'file'],
  ['ＦＵＬＬ width', 'full'],
  ['sources.list', 'sources.list'],
  ['sources.list', 'sources'],
  ['/etc/apt/sources.list.d', 'apt'],
  ['readConfigFile()', 'config'],
  ['parseHTTPHeader', 'http'],
  ['dpkg-reconfigure', 'dpkg-reconfigure'],
  ['l’été', 'ete'],
  ['1,234,567 people', '1.234.567'],
  ['₹12,34,567 only', '1234567'],
  ['₹1,00,000.50', '100000.50'],
  ['₹1,00,000-2,00,000', '200000'],
  ['2024-01-05,12,45,300', '2024-01-05'],
  ['1,234-5,678', '5678'],
  ['GET,/index.html,200', 'index.html'],
  ['192.168.0.1,443', '192.168.0.1'],
  ['in 2023, 500 people', '500'],
  ['1 234', '1 234'],
  ['€4,812.50', '4812.50'],
  ['€4,812.50', '4.812.50'],
  ["CHF 1'234'567.5", '1234567.5'],
  ['4.812,50 €', '4812,50'],
  ['1,234.50', '1234'],
  ['on 05.03.2024', '5.3.2024'.slice(4)],
  ['version 1.2.3', '1.2.3'],
  ['RFC 2822', '2822'],
  ['admin@example.org', 'example'],
  ['東京都庁', '東京'],
  ['東京都庁', '都庁'],
  ['わたしのねこ', 'ねこ'],
  ['한국어는', '한국어'],
  ['ประเทศไทย', 'ไทย'],
  ['שָׁלוֹם', 'שלום'],
  ['مُحَمَّد', 'محمد'],
  ['हिन्दी में', 'हिन्दी'],
])('a text with "%s" is found by "%s"', (text, sought) => {
  const terms = searchTerms(text);
  const query = searchTerms(sought);
  expect(query.length).toBeGreaterThan(0);
  expect(query.filter((term) => !terms.includes(term))).toEqual([]);
});

test.each<[text: string, other: string]>([
  ['1.5', '15'],
  ['version 2.100.12', '2100'],
  ['kosten', 'kasten'],
  ['が', 'か'],
  ['गीत', 'गत'],
  ['2024', '2023'],
  ['pages 1,22,33', '12233'],
])('"%s" and "%s" have no term in common', (text, other) => {
  const terms = searchTerms(text);
  expect(searchTerms(other).filter((term) => terms.includes(term) && term.length > 1)).toEqual([]);
});

test('a letter with hundreds of thousands of accents is read to its end', () => {
  expect(searchTerms(`b${'\u0323'.repeat(300_000)}`)).toEqual(['b']);
});

test.each(['', ' \n\t', '\0', '\ud800', '\udc00 \ud800', '!?…', '\u0301'])('%j is read without an error', (text) => {
  expect(searchTerms(text).length).toBeLessThanOrEqual(1);
});
