import { afterEach, expect, test, vi } from 'vitest';
import { readAloud, spokenText, stopReading } from '../../../src/chat/conversation/messages/read-aloud.ts';

test.each([
  ['One.\n\nTwo.', ['One.', 'Two.']],
  ['# Title\n\nA **bold** word, `code` and a [link](https://example.org).', ['Title', 'A bold word, code and a link.']],
  ['- one\n- two\n1. three', ['one', 'two', '1. three']],
  ['Before\n\n```js\nconst x = 1;\n```\n\nAfter', ['Before', 'After']],
  ['Cut\n\n```js\nconst x = 1;', ['Cut']],
  ['| a | b |\n|---|---|\n| 1 | 2 |', ['a b', '1 2']],
  ['> quoted\n\n---\n\n', ['quoted']],
  ['-5 °C at night.\n\n- 3 °C by day.\n+ 2', ['-5 °C at night.', '3 °C by day.', '2']],
  ['2*3*4 = 24, and 5 * (1 + 1) = 10.', ['2 × 3 × 4 = 24, and 5 × (1 + 1) = 10.']],
  ['**3** apples, *2* pears and **1 plum**', ['3 apples, 2 pears and 1 plum']],
  ['* **5** eggs\n* *2* cups', ['5 eggs', '2 cups']],
  ['See [A (b)](https://a.org/A_(b)) and ![C](c.png "D (e)").', ['See A (b) and C.']],
  ['1. One\n\n    ```js\n    const x = 1;\n    ```\n\n> ```\n> code\n> ```\n\nAfter', ['1. One', 'After']],
  ['Rome[^1] is old.\n\n[^1]: By far.', ['Rome is old.', 'By far.']],
  ['H<sub>2</sub>O<br>and <b class="x">3 < 4</b>', ['H 2 O and 3 < 4']],
  ['- [ ] buy\n- [x] eat', ['buy', 'eat']],
  ['The _old_ `my_file.py` and __all__ of snake_case', ['The old my_file.py and all of snake_case']],
  ['', []],
])('%j is read as %j', (markdown, paragraphs) => {
  expect(spokenText(markdown)).toEqual(paragraphs);
});

afterEach(() => vi.unstubAllGlobals());

/** Replaces the browser's voices. Returns the paragraphs that are still to be spoken, or were when they were cancelled. */
function fakeVoices(): { voices: SpeechSynthesisVoice[]; queue: EventTarget[] } {
  const queue: EventTarget[] = [];
  vi.stubGlobal('navigator', { language: 'en' });
  vi.stubGlobal('SpeechSynthesisUtterance', EventTarget);
  vi.stubGlobal('speechSynthesis', { cancel: () => {}, speak: (utterance: EventTarget) => queue.push(utterance) });
  return { voices: [{ lang: 'en' } as SpeechSynthesisVoice], queue };
}

const THREE = 'One.\n\nTwo.\n\nThree.';

test('a reading ends after its last paragraph', () => {
  const { voices, queue } = fakeVoices();
  const told: boolean[] = [];
  readAloud(THREE, voices, (speaking) => told.push(speaking));
  for (const utterance of queue) utterance.dispatchEvent(new Event('end'));
  expect(told).toEqual([true, true, true, false]);
});

/** What browsers report of three paragraphs when the first one is stopped. */
const REPORTS: readonly (readonly (readonly [paragraph: number, event: string])[])[] = [
  [],
  [[0, 'error']],
  [[0, 'end']],
  [0, 1, 2].map((paragraph) => [paragraph, 'error'] as const),
];

test.each(REPORTS.map((reports) => [reports]))(
  'a reading that is stopped, or replaced by another one, ends at once if the browser reports %j',
  (reports) => {
    for (const isReplaced of [false, true]) {
      const { voices, queue } = fakeVoices();
      const told: boolean[] = [];
      const others: boolean[] = [];
      readAloud(THREE, voices, (speaking) => told.push(speaking));
      if (isReplaced) readAloud(THREE, voices, (speaking) => others.push(speaking));
      else stopReading();
      for (const [paragraph, event] of reports) queue[paragraph]!.dispatchEvent(new Event(event));
      expect(told).toEqual([true, false]);
      expect(others).toEqual(isReplaced ? [true] : []);
    }
  },
);

test('a reading that fails ends once', () => {
  const { voices, queue } = fakeVoices();
  const told: boolean[] = [];
  readAloud(THREE, voices, (speaking) => told.push(speaking));
  for (const event of ['error', 'end']) queue[0]!.dispatchEvent(new Event(event));
  expect(told).toEqual([true, false]);
});

test.each([
  ['en-US', 'The sea is wide.', 'en-GB'],
  ['de-DE', 'Das Meer ist weit.', 'de-DE'],
  ['fr-FR', 'La mer est large.', 'en-GB'],
  ['en-US', '大海很宽。', 'zh-CN'],
  ['en-US', '海はとても広いです。', 'ja-JP'],
  ['ja-JP', '海洋', 'ja-JP'],
  ['en-US', '바다는 넓다.', 'en-GB'],
  ['en-US', 'Море широкое.', 'ru-RU'],
  ['uk-UA', 'Море широке.', 'uk-UA'],
  ['en-US', 'البحر واسع.', 'ar-SA'],
  ['en-US', 'The word 海 means sea, and so does море.', 'en-GB'],
  ['zh-CN', 'The sea is wide.', 'zh-CN'],
])('a browser in %s reads %j with the voice %s', (language, text, expected) => {
  const { queue } = fakeVoices();
  vi.stubGlobal('navigator', { language });
  const languages = ['en-GB', 'de-DE', 'zh-CN', 'ja-JP', 'ru-RU', 'uk-UA', 'ar-SA'];
  readAloud(
    text,
    languages.map((lang) => ({ lang }) as SpeechSynthesisVoice),
    () => {},
  );
  expect(queue).toMatchObject([{ lang: expected }]);
});
