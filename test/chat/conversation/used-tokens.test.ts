import { expect, test } from 'vitest';
import { usedTokens } from '../../../src/chat/conversation/composer/used-tokens.ts';
import type { Answer, Message } from '../../../src/chat/types/conversation.ts';
import { sampleAnswer, sampleQuestion } from '../../gallery/samples/conversation.ts';

const question = (text: string, more: object = {}) => sampleQuestion({ id: text, text, ...more });
const answer = (text: string, more: Partial<Answer> = {}) =>
  sampleAnswer({ id: text, text, model: 'smollm2', promptTokens: null, completionTokens: null, ...more });
const measured = answer('Yes.', { promptTokens: 100, completionTokens: 20 });
const stopped = answer('x'.repeat(30), { state: 'stopped' });
const file = { id: 'f', name: 'a.txt', size: 300, kind: 'text', part: 'whole', text: 'y'.repeat(300) } as const;

test.each([
  { name: 'of an answer with usage are known', path: [question('Why?'), measured], least: 120, most: 120 },
  {
    name: 'of a stopped answer are estimated beyond the last known usage',
    path: [question('Why?'), measured, question('z'.repeat(60)), stopped],
    least: 150,
    most: 150,
  },
  {
    name: 'of a chat whose only answer was stopped are estimated',
    path: [question('z'.repeat(60)), stopped],
    least: 30,
    most: 30,
  },
  {
    name: 'of a file before a stopped answer count',
    path: [question('Why?', { attachments: [file] }), stopped],
    least: 111,
    most: 140,
  },
  {
    name: 'of an answer of another model are estimated',
    path: [question('Why?'), answer('No.', { model: 'pocket', promptTokens: 9000, completionTokens: 1 }), stopped],
    least: 12,
    most: 20,
  },
  {
    name: 'of an answer in Chinese are one for each character',
    path: [question('为什么？'), answer('因为下雨了。'.repeat(100), { state: 'stopped' })],
    least: 600,
    most: 620,
  },
])('the tokens $name', ({ path, least, most }) => {
  const used = usedTokens(path as Message[], 'smollm2');
  expect(used).toBeGreaterThanOrEqual(least);
  expect(used).toBeLessThanOrEqual(most);
});

test.each([
  { name: 'without an answer', path: [question('Why?')] },
  {
    name: 'whose last answer is of another model',
    path: [question('Why?'), measured, answer('No.', { model: 'pocket' })],
  },
  { name: 'without messages', path: [] },
])('nothing is known of a chat $name', ({ path }) => {
  expect(usedTokens(path, 'smollm2')).toBeNull();
});
