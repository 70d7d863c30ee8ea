import { expect, test } from 'vitest';
import type { CompletionEvent } from '../../../src/shared/engine/completion-event.ts';
import { answerIn, USAGE } from '../support/scripted-service.ts';
import { readEventStream } from '../support/read-event-stream.ts';
import { createTestApp, GOOD_BODY } from '../support/test-app.ts';

const ANSWER = answerIn('Hi', ' there.').slice(1);
const THOUGHT: readonly CompletionEvent[] = [
  { type: 'prefill' },
  { type: 'delta', choice: 0, reasoning: 'A ' },
  { type: 'delta', choice: 0, reasoning: 'greeting.' },
];
const CALL: CompletionEvent = {
  type: 'delta',
  choice: 0,
  toolCalls: [{ index: 0, id: 'a', name: 'look', arguments: '{}' }],
};
const cut: readonly CompletionEvent[] = [
  { type: 'finish', choice: 0, reason: 'length' },
  { type: 'done', usage: USAGE },
];
const inContent = '<think>A greeting.</think>Hi there.';

/** The texts of a message, as JSON and put together from a stream. */
async function textsOf(events: readonly CompletionEvent[], fields: object) {
  const app = createTestApp();
  app.service.play(events);
  const { choices } = await (await app.chat({ ...GOOD_BODY, ...fields })).json();
  const { content, reasoning_content } = choices[0].message;
  const { chunks } = await readEventStream(await app.chat({ ...GOOD_BODY, ...fields, stream: true }));
  const deltas = chunks.flatMap(({ choices: [choice] }) => choice?.delta ?? []) as Record<string, string | null>[];
  const joined = (name: string) => deltas.map((delta) => delta[name] ?? '').join('');
  expect([joined('content'), joined('reasoning_content')]).toEqual([content ?? '', reasoning_content ?? '']);
  return [content, reasoning_content];
}

test.each<[fields: object, content: string, reasoning: string | undefined]>([
  [{}, 'Hi there.', 'A greeting.'],
  [{ reasoning_format: 'auto' }, 'Hi there.', 'A greeting.'],
  [{ reasoning_format: 'deepseek' }, 'Hi there.', 'A greeting.'],
  [{ reasoning_format: 'deepseek-legacy' }, inContent, 'A greeting.'],
  [{ reasoning_format: 'none' }, inContent, undefined],
  [{ include_reasoning: false }, 'Hi there.', undefined],
  [{ include_reasoning: false, reasoning_format: 'none' }, 'Hi there.', undefined],
])('with %j the reasoning is where the request wants it', async (fields, content, reasoning) => {
  expect(await textsOf([...THOUGHT, ...ANSWER], fields)).toEqual([content, reasoning]);
});

test.each<[name: string, events: readonly CompletionEvent[], content: string | null]>([
  ['that is cut while it is thought', [...THOUGHT, ...cut], '<think>A greeting.'],
  ['without a thought', ANSWER, 'Hi there.'],
  ['that is a call', [...THOUGHT, CALL, ...cut], '<think>A greeting.</think>'],
  ['that is a call without a thought', [CALL, ...cut], null],
])('an answer %s has its reasoning in the content, if wanted', async (_name, events, content) => {
  expect(await textsOf(events, { reasoning_format: 'none' })).toEqual([content, undefined]);
});

test('each choice has its own reasoning in its content', async () => {
  const other = THOUGHT.slice(1).map((event) => ({ ...event, choice: 1 }) as CompletionEvent);
  const app = createTestApp();
  app.service.play([...THOUGHT, ...other, ...ANSWER]);
  const { choices } = await (await app.chat({ ...GOOD_BODY, n: 2, reasoning_format: 'none' })).json();
  expect(choices).toMatchObject([{ message: { content: inContent } }, { message: { content: '<think>A greeting.' } }]);
});

test('log probabilities of hidden reasoning are hidden, too', async () => {
  const logprobs = [{ token: 'A ', logprob: -1, bytes: [65, 32], topLogprobs: [] }];
  const app = createTestApp();
  app.service.play([{ type: 'delta', choice: 0, reasoning: 'A ', logprobs }, ...ANSWER]);
  const request = { ...GOOD_BODY, logprobs: true, include_reasoning: false };
  const { choices } = await (await app.chat(request)).json();
  expect(choices).toMatchObject([{ logprobs: { content: [] } }]);
});
