import { expect, test } from 'vitest';
import { titleFrom } from '../../../src/chat/types/conversation.ts';

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
