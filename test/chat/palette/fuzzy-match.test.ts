import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuzzyMatch, markedParts } from '../../../src/chat/palette/fuzzy-match.ts';

const ACTIONS = [
  'New chat',
  'Search chats',
  'Models',
  'For developers',
  'Privacy',
  'Keyboard shortcuts',
  'Import',
  'Export all',
  'This chat: Export as Markdown',
  'This chat: Export as JSON',
  'This chat: Rename',
  'This chat: Delete',
];

test.each([
  ['new', 'New chat'],
  ['NC', 'New chat'],
  ['ren', 'This chat: Rename'],
  ['mark', 'This chat: Export as Markdown'],
  ['exp md', 'This chat: Export as Markdown'],
  ['json export', 'This chat: Export as JSON'],
  ['dev', 'For developers'],
  ['kbd', 'Keyboard shortcuts'],
  ['prv', 'Privacy'],
  ['imp', 'Import'],
  ['expa', 'Export all'],
])('%s finds %s first', (typed, action) => {
  const fitting = ACTIONS.flatMap((text) => {
    const match = fuzzyMatch(typed, text);
    return match === null ? [] : [{ text, score: match.score }];
  });
  expect(fitting.toSorted((a, b) => b.score - a.score)[0]?.text).toBe(action);
});

test.each([
  ['gezi', 'İstanbul Gezisi'],
  ['istanbul', 'İstanbul Gezisi'],
  ['İSTANBUL', 'İstanbul Gezisi'],
  ['οδος', 'ΟΔΟΣ ΑΘΗΝΑΣ'],
  ['οδοσ', 'η οδός, η οδος'],
  ['straße', 'Straße'],
])('%s is found in %s as a whole', (typed, text) => {
  const { positions } = fuzzyMatch(typed, text)!;
  expect(positions.at(-1)! - positions[0]!).toBe(typed.length - 1);
});

test('exactly the typed letters are highlighted', () => {
  const text = fc.string({ unit: fc.constantFrom(...'abc ABC-'), maxLength: 20 });
  fc.assert(
    fc.property(text, text, (typed, text) => {
      const match = fuzzyMatch(typed, text);
      const sought = new Set(typed.toLowerCase().replace(/\s/g, ''));
      const marked = new Set(match?.positions.map((position) => text[position]!.toLowerCase()));
      expect(match === null || [...sought].every((letter) => marked.has(letter))).toBe(true);
    }),
  );
});

test.each([
  ['loschen', 'Chat löschen', ['Chat ', 'löschen', '']],
  ['LÖSCHEN', 'Chat loschen', ['Chat ', 'loschen', '']],
  ['istanbul', 'İstanbul trip', ['', 'İstanbul', ' trip']],
  ['елка', 'Новая Ёлка', ['Новая ', 'Ёлка', '']],
  ['pate', 'Pâté for two', ['', 'Pâté', ' for two']],
])('%j is found in %j whatever its accents', (typed, text, parts) => {
  const match = fuzzyMatch(typed, text);
  expect(match && markedParts(text, match.positions)).toEqual(parts);
});

test.each([
  ['rt', '👩‍🚀 rocket trip', ['👩‍🚀 ', 'r', 'ocke', 't', ' trip']],
  ['🚀t', '🚀 trip', ['', '🚀', ' ', 't', 'rip']],
  ['سلام', 'سلام عليكم', ['', 'سلام', ' عليكم']],
  ['', 'all', ['all']],
])('%j is highlighted in %j in whole characters', (typed, text, parts) => {
  expect(markedParts(text, fuzzyMatch(typed, text)!.positions)).toEqual(parts);
});
