import { expect, test } from 'vitest';
import { isComposing } from '../../../src/chat/browser/is-composing.ts';

const ENTER = { key: 'Enter', isComposing: false, keyCode: 13 };

test.each([
  ['Enter alone', ENTER, false],
  ['Enter of a keypad', { ...ENTER, code: 'NumpadEnter' }, false],
  ['Enter within a composition in Firefox', { ...ENTER, isComposing: true }, true],
  ['Enter within a composition in Chromium', { ...ENTER, isComposing: true, keyCode: 229 }, true],
  ['Enter after a composition in Safari', { ...ENTER, keyCode: 229 }, true],
  ['a key that the input method took, on Windows', { key: 'Process', isComposing: true, keyCode: 229 }, true],
  ['a key of a keyboard on Android', { key: 'Unidentified', isComposing: false, keyCode: 229 }, true],
  ['Escape within a composition', { key: 'Escape', isComposing: true, keyCode: 229 }, true],
  ['Escape after a composition in Safari', { key: 'Escape', isComposing: false, keyCode: 229 }, true],
  ['Escape alone', { key: 'Escape', isComposing: false, keyCode: 27 }, false],
  ['an arrow within a composition', { key: 'ArrowDown', isComposing: true, keyCode: 40 }, true],
  ['a letter', { key: 'a', isComposing: false, keyCode: 65 }, false],
])('%s belongs to an input method: %o', (_name, event, expected) => {
  expect(isComposing(event as unknown as KeyboardEvent)).toBe(expected);
});
