import { expect, test } from 'vitest';
import { titleFrom } from '../../../src/chat/types/conversation.ts';

test.each([
  ['Short?', 'Short?'],
  ['  two\n lines ', 'two lines'],
  ['word '.repeat(20).trim(), `${'word '.repeat(12).trim()}…`],
  ['x'.repeat(80), `${'x'.repeat(60)}…`],
  [`${'x'.repeat(59)}😀 and on`, `${'x'.repeat(59)}…`],
])('the title of a chat that begins with %j', (question, title) => {
  expect(titleFrom(question)).toBe(title);
});
