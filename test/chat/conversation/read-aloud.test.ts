import { expect, test } from 'vitest';
import { spokenText } from '../../../src/chat/conversation/messages/read-aloud.ts';

test.each([
  ['One.\n\nTwo.', ['One.', 'Two.']],
  ['# Title\n\nA **bold** word, `code` and a [link](https://example.org).', ['Title', 'A bold word, code and a link.']],
  ['- one\n- two\n1. three', ['one', 'two', '1. three']],
  ['Before\n\n```js\nconst x = 1;\n```\n\nAfter', ['Before', 'After']],
  ['Cut\n\n```js\nconst x = 1;', ['Cut']],
  ['| a | b |\n|---|---|\n| 1 | 2 |', ['a b', '1 2']],
  ['> quoted\n\n---\n\n', ['quoted']],
  ['', []],
])('%j is read as %j', (markdown, paragraphs) => {
  expect(spokenText(markdown)).toEqual(paragraphs);
});
