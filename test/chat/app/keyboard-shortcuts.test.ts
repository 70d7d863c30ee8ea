import { expect, test } from 'vitest';
import { pageShortcut } from '../../../src/chat/app/keyboard-shortcuts.ts';

/** The keys of the shortcuts as keyboards report them. */
test.each([
  ['English', 'k', 'KeyK', 'Ctrl', 'open-palette'],
  ['English with Caps Lock', 'K', 'KeyK', 'Ctrl', 'open-palette'],
  ['English on a Mac', 'k', 'KeyK', 'Meta', 'open-palette'],
  ['Russian', 'л', 'KeyK', 'Ctrl', 'open-palette'],
  ['Russian with Caps Lock', 'Л', 'KeyK', 'Ctrl', 'open-palette'],
  ['Greek', 'κ', 'KeyK', 'Ctrl', 'open-palette'],
  ['Hebrew', 'ל', 'KeyK', 'Meta', 'open-palette'],
  ['Arabic', 'ن', 'KeyK', 'Ctrl', 'open-palette'],
  ['Dvorak', 'k', 'KeyV', 'Ctrl', 'open-palette'],
  ['Dvorak, at the place of an English K', 't', 'KeyK', 'Ctrl', null],
  ['Russian with Shift', 'Л', 'KeyK', 'Ctrl Shift', null],
  ['English', '/', 'Slash', 'Ctrl', 'show-shortcuts'],
  ['German', '/', 'Digit7', 'Ctrl Shift', 'show-shortcuts'],
  ['German, which makes the page smaller', '-', 'Slash', 'Ctrl', null],
  ['French', '/', 'Period', 'Ctrl Shift', 'show-shortcuts'],
  ['French, at the place of an English slash', '!', 'Slash', 'Ctrl', null],
  ['Dvorak, at the place of an English slash', 'z', 'Slash', 'Ctrl', null],
  ['Russian', '.', 'Slash', 'Ctrl', 'show-shortcuts'],
  ['Hebrew', '.', 'Slash', 'Ctrl', 'show-shortcuts'],
  ['Turkish, which an event does not tell from Russian', '.', 'Slash', 'Ctrl', 'show-shortcuts'],
  ['Turkish', '/', 'Digit7', 'Ctrl Shift', 'show-shortcuts'],
  ['Spanish with Shift, at the place of an English slash', '_', 'Slash', 'Ctrl Shift', null],
  ['Arabic', 'ظ', 'Slash', 'Ctrl', 'show-shortcuts'],
  ['English', 'F', 'KeyF', 'Ctrl Shift', 'search-chats'],
  ['English with Caps Lock', 'f', 'KeyF', 'Ctrl Shift', 'search-chats'],
  ['Ukrainian', 'А', 'KeyF', 'Ctrl Shift', 'search-chats'],
  ['Dvorak', 'F', 'KeyY', 'Ctrl Shift', 'search-chats'],
  ['English', 'n', 'KeyN', 'Ctrl Alt', 'new-chat'],
  ['English on a Mac', 'Dead', 'KeyN', 'Meta Alt', 'new-chat'],
  ['Spanish on a Mac', '~', 'KeyN', 'Meta Alt', 'new-chat'],
  ['Russian', 'т', 'KeyN', 'Ctrl Alt', 'new-chat'],
  ['English on a Mac', 'π', 'KeyP', 'Meta Alt', 'temporary-chat'],
  ['Greek', 'π', 'KeyP', 'Ctrl Alt', 'temporary-chat'],
  ['English, without Ctrl', 'k', 'KeyK', '', null],
  ['Polish, a letter with AltGr', 'ń', 'KeyN', 'AltGraph', null],
  ['a browser that names no places', 'k', '', 'Ctrl', 'open-palette'],
  ['a key without a name', 'Unidentified', '', 'Ctrl', null],
])('on a keyboard in %s, %s (%s) with %s is the shortcut %s', (_, key, code, held, expected) => {
  const event = {
    key,
    code,
    ctrlKey: held.includes('Ctrl'),
    metaKey: held.includes('Meta'),
    shiftKey: held.includes('Shift'),
    altKey: held.split(' ').includes('Alt'),
  };
  expect(pageShortcut(event as KeyboardEvent)).toBe(expected);
});
