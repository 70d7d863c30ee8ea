import { expect, test } from 'vitest';
import { isRight, STARTERS } from './starters.ts';

test('twenty questions are asked, and each has a right answer', () => {
  expect(STARTERS).toHaveLength(20);
  for (const { text } of STARTERS) expect(isRight(text, 'I do not know that.')).toBe(false);
});

test.each([
  ['What is 27 + 35?', '27 + 35 = 62.', true],
  ['What is 27 + 35?', '27 + 35 = 620.', false],
  ['What is the capital of France?', 'The capital of France is Rome.', false],
  ['Tell me a story about Anna and a dog.', 'Anna had a dog. They ran. They slept.', true],
  ['Tell me a story about Anna and a dog.', 'Anna had a dog. They ran. They slept. Then the', false],
])('%s %s: %s', (question, answer, right) => {
  expect(isRight(question, answer)).toBe(right);
});
