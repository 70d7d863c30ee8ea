import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isDecline } from '../../../src/chat/conversation/messages/is-decline.ts';
import { DECLINE } from '../../../src/shared/models/built-in-models.ts';
import type { Answer } from '../../../src/chat/types/conversation.ts';

const TRAINED = readFileSync(new URL('../../../training/data/decline.txt', import.meta.url), 'utf8').trim();

test('the sentence with which the built-in model declines is the one that it was trained to say', () => {
  expect(DECLINE).toBe(TRAINED);
});

test.each([
  ['the built-in model declines', {}, true],
  ['it only begins to', { state: 'running' }, false],
  ['it answers', { text: 'Paris.' }, false],
  ['another model says the same', { model: 'other' }, false],
] as const)('an answer in which %s', (_, changes, expected) => {
  const answer = { model: 'pocket', state: 'complete', text: TRAINED, ...changes } as Answer;
  expect(isDecline(answer)).toBe(expected);
});
