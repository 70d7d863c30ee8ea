import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { firstRefusal, mayDecline, needsRealModel } from '../../../src/chat/conversation/messages/needs-real-model.ts';
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
  ['the built-in model only begins to decline', { state: 'running' }, false],
  ['it answers', { text: 'Paris.' }, false],
  ['the built-in model answers nothing', { text: '' }, true],
  ['the built-in model was caught in a loop', { text: 'a a a', isStuck: true }, true],
  ['a file is too long for the built-in model', failed('context_length_exceeded'), true],
  ['there is an image that the built-in model cannot read', failed('unsupported_value'), true],
  ['the built-in model called a tool wrongly', { text: 'It is 12.', rounds: called('failed') }, true],
  ['the built-in model called a tool correctly', { text: 'It is 12.', rounds: called('done') }, false],
  ['the user refused a tool call', { text: 'It is 12.', rounds: called('refused') }, false],
  ['the built-in model failed for another reason', failed('engine_unavailable'), false],
  ['the user stopped the built-in model', { state: 'stopped', text: '' }, false],
  ['another model declines in the same words', { model: 'other' }, false],
  ['a file is too long for another model', { ...failed('context_length_exceeded'), model: 'other' }, false],
] as const)('a larger model is offered below an answer only if it would help: %s', (_, changes, expected) => {
  const answer = { model: 'pocket', state: 'complete', text: TRAINED, error: null, ...changes } as unknown as Answer;
  expect(needsRealModel(answer)).toBe(expected);
});

const declined = (created: number, model = 'pocket') =>
  ({ role: 'assistant', model, state: 'complete', text: TRAINED, error: null, created }) as unknown as Answer;

const growing = (text: string, changes = {}) =>
  mayDecline({ model: 'pocket', state: 'running', text, ...changes } as unknown as Answer);

test("the first refusal of a chat is the built-in model's own", () => {
  const path = [declined(1, 'other'), declined(2), declined(3)];
  expect(firstRefusal(path)).toBe(2);
  expect(firstRefusal(path.slice(0, 1))).toBe(Infinity);
  expect(firstRefusal([])).toBe(Infinity);
});

test('words that may become a refusal are held back until they differ from it', () => {
  expect(growing('I do not know')).toBe(true);
  expect(growing(TRAINED)).toBe(true);
  expect(growing('I do not like it')).toBe(false);
  expect(growing('')).toBe(false);
  expect(growing('I do not know', { model: 'other' })).toBe(false);
  expect(growing('I do not know', { state: 'stopped' })).toBe(false);
});
