import { afterEach, expect, test, vi } from 'vitest';
import type { CompletionRequest } from '../../../src/shared/engine/completion-request.ts';
import { askEngine, type EngineName } from './ask-engine.ts';
import { idOf } from './scripted-model.ts';

afterEach(() => vi.unstubAllGlobals());

const BOTH: readonly EngineName[] = ['webllm', 'llamaCpp'];

const SCHEMA = {
  type: 'object',
  properties: { a: { enum: ['x', 'y'] } },
  required: ['a'],
  additionalProperties: false,
};

/** A constraint, the beginning of the answer, and the answers that may follow it. */
const CONSTRAINED: readonly (readonly [CompletionRequest['responseFormat'], prefix: string, rest: RegExp])[] = [
  [{ type: 'json_schema', schema: SCHEMA }, '{"a":', /^\s*"[xy]"\s*\}$/],
  [{ type: 'regex', pattern: '[0-9]{3}', param: 'guided_regex' }, '12', /^\d$/],
  [{ type: 'choice', choices: ['Yes', 'Yet', 'No'] }, 'Ye', /^[st]$/],
];

const CASES = BOTH.flatMap((name) => CONSTRAINED.map((row) => [name, ...row] as const));

test.each(CASES)('%s: %j after %j covers the beginning, too', async (name, responseFormat, answerPrefix, rest) => {
  const { text, error } = await askEngine(name, {}, { responseFormat, answerPrefix, topP: 0.01, maxTokens: 200 });
  expect(error).toBeNull();
  expect(text).toMatch(rest);
});

test.each(BOTH)('%s: a beginning that the constraint excludes is refused', async (name) => {
  const responseFormat = { type: 'choice', choices: ['Yes', 'No'] } as const;
  const { error } = await askEngine(name, {}, { responseFormat, answerPrefix: 'Maybe' });
  expect(error).toMatchObject({ code: 'invalid_value', param: 'messages' });
});

test.each(BOTH)('%s: a model that thinks does not think after the beginning of its answer', async (name) => {
  const model = { reply: ['a ', 'b '], thought: 'Hm.' };
  const { prompt } = await askEngine(name, model, { answerPrefix: 'Well,' });
  expect(prompt).toMatch(/<think>\s*<\/think>\s*Well,$/);
});

test.each(BOTH)('%s: nothing may follow the beginning of an answer', async (name) => {
  const { text, error } = await askEngine(name, { reply: [] }, { answerPrefix: 'That is all.' });
  expect([text, error]).toEqual(['', null]);
});

test('a stop token may be the first of an answer, also of a model that declines rather than say nothing', async () => {
  const { text, error } = await askEngine('llamaCpp', {}, { stopTokens: [idOf('a ')], topP: 0.01, maxTokens: 5 });
  expect([text, error]).toEqual(['', null]);
});
