import { nothing } from 'lit';
import { expect, test } from 'vitest';
import { answerOutcome } from '../../../src/chat/conversation/messages/answer-outcome.ts';
import { sampleAnswer } from '../../gallery/samples/conversation.ts';

const SOURCES = [{ file: 'f', name: 'a.txt', text: 'Ships.' }];

test.each([
  ['a model said nothing', { model: 'other' }, true],
  ['a model said nothing about passages', { model: 'other', sources: SOURCES }, true],
  ['nothing was found, so no model was asked', { model: 'other', sources: [] }, false],
  ['the page shows passages that the built-in model could not read', { model: 'pocket', sources: SOURCES }, false],
])('an answer without text is called empty or not: %s', (_, changes, expected) => {
  const answer = sampleAnswer({ text: '', state: 'complete', finishReason: 'stop', ...changes });
  expect(answerOutcome(answer, () => expect.unreachable()) !== nothing).toBe(expected);
});
