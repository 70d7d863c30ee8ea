import { expect, test } from 'vitest';
import { titleFrom, titleOf, type Attachment } from '../../../src/chat/types/conversation.ts';

test.each([
  ['Short?', 'Short?'],
  ['  two\n lines ', 'two lines'],
  ['word '.repeat(20).trim(), 'word '.repeat(20).trim()],
  ['word '.repeat(30).trim(), `${'word '.repeat(24).trim()}…`],
  ['x'.repeat(140), `${'x'.repeat(120)}…`],
  [`${'x'.repeat(119)}😀 and on`, `${'x'.repeat(119)}…`],
])('a chat that begins with the question %j gets the title %j', (question, title) => {
  expect(titleFrom(question)).toBe(title);
});

const FILE: Attachment = { id: '1', kind: 'text', name: 'ships.txt', size: 1, part: 'whole', text: 'A ship' };

test.each([
  ['Why?', 'Why?'],
  ['', 'ships.txt'],
  [' \n\u3000', 'ships.txt'],
])('a chat that begins with the question %j and a file gets the title %j', (text, title) => {
  expect(titleOf({ text, attachments: [FILE] })).toBe(title);
});
