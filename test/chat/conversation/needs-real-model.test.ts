import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { needsRealModel } from '../../../src/chat/conversation/messages/needs-real-model.ts';
import type { Answer } from '../../../src/chat/types/conversation.ts';
import { DECLINE } from '../../../src/shared/models/built-in-models.ts';

const TRAINED = readFileSync(new URL('../../../training/data/decline.txt', import.meta.url), 'utf8').trim();

test('the sentence with which the built-in model declines is the one it was trained on', () => {
  expect(DECLINE).toBe(TRAINED);
});

const failed = (code: string) => ({ state: 'failed', text: '', error: { code, message: '' } });

const called = (outcome: string) => [{ text: '', calls: [{ name: 'calculate', outcome }] }];

test.each([
  ['the built-in model declines', {}, true],
  ['it only begins to', { state: 'running' }, false],
  ['it answers', { text: 'Paris.' }, false],
  ['it says nothing', { text: '' }, true],
  ['it got stuck', { text: 'a a a', isStuck: true }, true],
  ['a file is too long for it', failed('context_length_exceeded'), true],
  ['there is an image that it cannot see', failed('unsupported_value'), true],
  ['it called a tool wrongly', { text: 'It is 12.', rounds: called('failed') }, true],
  ['it called a tool rightly', { text: 'It is 12.', rounds: called('done') }, false],
  ['a person did not allow a tool', { text: 'It is 12.', rounds: called('refused') }, false],
  ['it failed for another reason', failed('engine_unavailable'), false],
  ['a person stopped it', { state: 'stopped', text: '' }, false],
  ['another model says the same', { model: 'other' }, false],
  ['a file is too long for another model', { ...failed('context_length_exceeded'), model: 'other' }, false],
] as const)('an answer in which %s', (_, changes, expected) => {
  const answer = { model: 'pocket', state: 'complete', text: TRAINED, error: null, ...changes } as unknown as Answer;
  expect(needsRealModel(answer)).toBe(expected);
});
