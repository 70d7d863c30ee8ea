import { expect, test } from 'vitest';
import { reuseUnchanged } from '../../../src/chat/storage/reuse-unchanged.ts';
import { listsDiffer } from '../../../src/chat/storage/lists-differ.ts';
import { sampleAnswer, sampleQuestion } from '../../gallery/samples/conversation.ts';

test('unchanged items keep their object identity, and an unchanged list keeps its own', () => {
  const before = [sampleQuestion(), sampleAnswer()];
  expect(reuseUnchanged(before, structuredClone(before))).toBe(before);
});

test.each([
  ['a text', { text: 'Another.' }],
  ['a setting', { settings: { ...sampleAnswer().settings, temperature: 1 } }],
  ['an entry of a list', { settings: { ...sampleAnswer().settings, stop: ['x'] } }],
  ['an added field', { engine: 'upstream' }],
  ['an error', { error: { code: 'internal_error', message: 'Broken.' } as const }],
])('%s that changed gives only its message a new identity', (_what, change) => {
  const before = [sampleQuestion(), sampleAnswer()];
  const now = reuseUnchanged(before, [structuredClone(before[0]!), { ...structuredClone(sampleAnswer()), ...change }]);
  expect(now[0]).toBe(before[0]);
  expect(now[1]).not.toBe(before[1]);
  expect(now[1]).toMatchObject(change);
});

test('a removed field, an added message and a removed message are detected', () => {
  const [question, answer] = [sampleQuestion(), sampleAnswer({ engine: 'upstream' })];
  expect(reuseUnchanged([question, answer], [question, sampleAnswer()])[1]).not.toHaveProperty('engine');
  expect(reuseUnchanged([question], [question, answer])).toEqual([question, answer]);
  expect(reuseUnchanged([question, answer], [question])).toEqual([question]);
});

test('lists differ by their items and their order', () => {
  const [one, other] = [{}, {}];
  expect(listsDiffer([one, other], [one, other])).toBe(false);
  for (const before of [[other, one], [one], [one, {}], undefined])
    expect(listsDiffer([one, other], before)).toBe(true);
});
