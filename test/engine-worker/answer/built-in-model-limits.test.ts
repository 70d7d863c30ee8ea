import { expect, test } from 'vitest';
import { isBeyondBuiltInModel } from '../../../src/engine-worker/answer/built-in-model-limits.ts';
import { completionRequest } from '../../support/fakes/completion-request.ts';

test.each<[string, boolean]>([
  ['ما هي عاصمة مصر؟', true],
  ['日本で一番高い山は何ですか？', true],
  ['Ποια είναι η πρωτεύουσα;', true],
  ['Thủ đô của Việt Nam là gì?', true],
  ['What does 猫 mean?', false],
  ['Was ist die Hauptstadt von Österreich?', false],
  ['WO LIEGT DIE GROẞE STRAẞE?', false],
  ['Ble mae’r ŵyn a’r ẁy?', false],
  ['100/4', true],
  ['15 % of 80', true],
  ['What is 17 * 23?', true],
  ['sqrt(144)', true],
  ['1/3 + 1/6', true],
  ['1000 + 1', true],
  ['5 / 0', true],
  ['2+2', false],
  ['12 - 7 =', false],
  ['What is 7 times 8?', false],
  ['how much is 84 / 7', false],
  ['100', false],
  ['What happened in 1989?', false],
  ['Is the shop open 24/7?', false],
  ['', false],
])('the question %j is certainly beyond the built-in model: %s', (question, expected) => {
  expect(isBeyondBuiltInModel(completionRequest(question))).toBe(expected);
});

test('JSON answers are not checked', () => {
  const json = { ...completionRequest('100/4'), responseFormat: { type: 'json_object' } } as const;
  expect(isBeyondBuiltInModel(json)).toBe(false);
});
