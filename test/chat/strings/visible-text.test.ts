import { expect, test } from 'vitest';
import { splitAtHidden, visibleText } from '../../../src/chat/strings/visible-text.ts';

test.each([
  ['a text that reverses what follows', 'a\u202Eb', 'a⟨U+202E⟩b'],
  ['isolates', '\u2066x\u2069', '⟨U+2066⟩x⟨U+2069⟩'],
  ['marks of direction', '\u200Ex\u200F\u061C', '⟨U+200E⟩x⟨U+200F⟩⟨U+061C⟩'],
  ['characters without width', 'a\u200Bb\u2060c\uFEFF', 'a⟨U+200B⟩b⟨U+2060⟩c⟨U+FEFF⟩'],
  ['a joiner within a word', 'می\u200Cخواهم', 'می⟨U+200C⟩خواهم'],
  ['a soft hyphen', 'a\u00ADb', 'a⟨U+00AD⟩b'],
  ['control characters', '\0\u0007\u001B[2K\u007F\u0085', '⟨U+0000⟩⟨U+0007⟩⟨U+001B⟩[2K⟨U+007F⟩⟨U+0085⟩'],
  ['a carriage return that would hide a line', 'evil\rgood', 'evil⟨U+000D⟩good'],
  ['separators of lines and paragraphs', 'a\u2028b\u2029', 'a⟨U+2028⟩b⟨U+2029⟩'],
  ['tags, which spell a text', '\u{E0001}\u{E0041}\u{E007F}', '⟨U+E0001⟩⟨U+E0041⟩⟨U+E007F⟩'],
  ['variation selectors that belong to no emoji', 'a\uFE0F\u{E0100}', 'a⟨U+FE0F⟩⟨U+E0100⟩'],
  ['a joiner of signs that are no emoji together', '©\u200D©', '©⟨U+200D⟩©'],
  ['a joiner of emoji that are none together', '😀\u200D😀 👩\u200D👩', '😀⟨U+200D⟩😀 👩⟨U+200D⟩👩'],
  ['a joiner after an emoji', '👩\u200D💻\u200D', '👩\u200D💻⟨U+200D⟩'],
  ['a variation selector after an emoji that is one without', '😀\uFE0F', '😀⟨U+FE0F⟩'],
  ['tags after a flag that spell no region', '🏴\u{E0065}\u{E007F}', '🏴⟨U+E0065⟩⟨U+E007F⟩'],
  ['a second variation selector of an emoji', '❤\uFE0F\uFE0F', '❤\uFE0F⟨U+FE0F⟩'],
  ['fillers, which are letters', '\u3164\u115F\u1160\uFFA0\u2800', '⟨U+3164⟩⟨U+115F⟩⟨U+1160⟩⟨U+FFA0⟩⟨U+2800⟩'],
  [
    'symbols and letters that are blank',
    '\u{1D159}\u{16FE4}\u{13441}\u{13442}',
    '⟨U+1D159⟩⟨U+16FE4⟩⟨U+13441⟩⟨U+13442⟩',
  ],
  ['halves of surrogate pairs', '\uD83Dx\uDE00', '⟨U+D83D⟩x⟨U+DE00⟩'],
  ['characters that no font has', '\uE000\u{10FFFF}', '⟨U+E000⟩⟨U+10FFFF⟩'],
])('%s: written out', (_, text, visible) => {
  expect(visibleText(text)).toBe(visible);
  // Nothing is lost: copying the marked text gives the text.
  const parts = splitAtHidden(text);
  expect(parts.map((part) => part.text).join('')).toBe(text);
});

test.each([
  '',
  'two\nlines\r\n\tand a tab',
  'é e\u0301 ñ',
  'שלום, مرحبا',
  'हिन्दी',
  '😀 👍🏽 ❤️ 👩‍💻 👨‍👩‍👧 1️⃣ ©️ 🇨🇭 🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  '日本語',
  '4 # *',
])('what a browser draws is not changed: %j', (text) => {
  expect(visibleText(text)).toBe(text);
});

test.each([
  ['👩\u200D💻', '👩⟨U+200D⟩💻'],
  ['❤\uFE0F', '❤⟨U+FE0F⟩'],
  ['©\uFE0F', '©⟨U+FE0F⟩'],
  ['1\uFE0F\u20E3', '1⟨U+FE0F⟩\u20E3'],
  ['😀 👍🏽', '😀 👍🏽'],
  ['a\r\n\tb', 'a\r\n\tb'],
])('what somebody is asked to allow has no exception for emoji: %j', (text, visible) => {
  expect(visibleText(text, false)).toBe(visible);
});

test('of all characters, the ignorable ones and all controls, formats, separators and selectors are written out', () => {
  const hidden =
    /\p{Bidi_Control}|\p{Cf}|\p{Cc}|\p{Cs}|\p{Zl}|\p{Zp}|\p{Variation_Selector}|\p{Default_Ignorable_Code_Point}/u;
  const missed: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    const character = String.fromCodePoint(code);
    if (
      hidden.test(character) &&
      !/[\n\t]/.test(character) &&
      [true, false].some((keepsEmoji) => visibleText(character, keepsEmoji) === character)
    )
      missed.push(code.toString(16));
  }
  expect(missed).toEqual([]);
});
