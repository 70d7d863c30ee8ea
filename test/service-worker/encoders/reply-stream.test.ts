import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { ApiError } from '../../../src/shared/api-error.ts';
import type { CompletionEvent, TokenLogprob } from '../../../src/shared/engine/completion-event.ts';
import { readEventStream, type EventStream } from '../support/read-event-stream.ts';
import { expectForm } from '../support/reply-schemas.ts';
import { answerIn, USAGE } from '../support/scripted-service.ts';
import { createTestApp, GOOD_BODY } from '../support/test-app.ts';

const finish = (choice: number, reason: 'stop' | 'length' | 'tool_calls'): CompletionEvent => ({
  type: 'finish',
  choice,
  reason,
});
const done: CompletionEvent = { type: 'done', usage: USAGE };

/** Streams a completion and checks the properties of every successful stream. */
async function stream(events: readonly CompletionEvent[], fields: object = {}): Promise<EventStream> {
  const app = createTestApp();
  app.service.play(events);
  const response = await app.chat({ ...GOOD_BODY, stream: true, ...fields });
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe('no-cache');
  expect(response.headers.has('content-length')).toBe(false);
  expect(response.headers.has('openai-processing-ms')).toBe(false);
  const read = await readEventStream(response);
  expect(read.done).toBe(true);
  for (const name of ['id', 'created', 'model'] as const) {
    expect(new Set(read.chunks.map((chunk) => chunk[name])).size, `one ${name}`).toBe(1);
  }
  return read;
}

/** Starts a stream whose events the test sends. */
async function begin() {
  const app = createTestApp();
  app.service.play([]);
  const responded = app.chat({ ...GOOD_BODY, stream: true });
  await vi.waitUntil(() => app.service.completions.length > 0, { interval: 1 });
  return { responded, completion: app.service.completions[0]! };
}

const deltas = ({ chunks }: EventStream, choice = 0): unknown[] =>
  chunks.flatMap(({ choices }) => choices.filter(({ index }) => index === choice).map(({ delta }) => delta));

const ROLE = { role: 'assistant', content: '', refusal: null };

test('a stream consists of the role, the pieces of the text, finish_reason and [DONE]', async () => {
  const read = await stream(answerIn('Hel', 'lo', '.'), { model: 'gpt-4o-mini' });
  for (const chunk of read.chunks) expectForm('chunk', chunk);
  expect(deltas(read)).toEqual([ROLE, { content: 'Hel' }, { content: 'lo' }, { content: '.' }, {}]);
  expect(read.chunks.map(({ choices }) => choices[0]!.finish_reason)).toEqual([null, null, null, null, 'stop']);
  expect(read.chunks[0]!.model).toBe('pocket');
});

test('a choice that was ended because it repeats itself says so', async () => {
  const { chunks } = await stream([{ type: 'finish', choice: 0, reason: 'length', isStuck: true }, done]);
  expect(chunks.at(-1)!.choices[0]).toMatchObject({ finish_reason: 'length', stop_reason: 'repetition' });
});

test('an empty answer has a role chunk and a finish chunk', async () => {
  expect(deltas(await stream([finish(0, 'length'), done]))).toEqual([ROLE, {}]);
});

test('usage comes once, in its own chunk, and only if requested', async () => {
  const { chunks } = await stream(answerIn('a', 'b'), { stream_options: { include_usage: true } });
  for (const chunk of chunks.slice(0, -1)) expectForm('chunkWithUsage', chunk);
  expectForm('usageChunk', chunks.at(-1));
  expect(chunks.at(-1)!.usage).toMatchObject({ prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 });
  for (const stream_options of [null, {}, { include_usage: false }]) {
    const without = await stream(answerIn('a', 'b'), { stream_options });
    for (const chunk of without.chunks) expectForm('chunk', chunk);
  }
});

test('each choice has its own sequence', async () => {
  const read = await stream(
    [
      { type: 'delta', choice: 0, content: 'a' },
      { type: 'delta', choice: 1, content: 'b' },
      finish(0, 'stop'),
      { type: 'delta', choice: 1, content: 'B' },
      finish(1, 'length'),
      finish(2, 'stop'),
      done,
    ],
    { n: 3 },
  );
  for (const chunk of read.chunks) expectForm('chunk', chunk);
  expect(deltas(read, 0)).toEqual([ROLE, { content: 'a' }, {}]);
  expect(deltas(read, 1)).toEqual([ROLE, { content: 'b' }, { content: 'B' }, {}]);
  expect(deltas(read, 2)).toEqual([ROLE, {}]);
});

test('id, type and name of a tool call come once, before its arguments', async () => {
  const id = 'call_0123456789abcdefghijklmn';
  const read = await stream([
    { type: 'delta', choice: 0, reasoning: 'Hm.' },
    { type: 'delta', choice: 0, content: 'Wait.', toolCalls: [{ index: 0, id, name: 'f', arguments: '{"a"' }] },
    {
      type: 'delta',
      choice: 0,
      toolCalls: [
        { index: 0, arguments: ':1}' },
        { index: 1, id: `${id}2`, name: 'g', arguments: '' },
      ],
    },
    finish(0, 'tool_calls'),
    done,
  ]);
  for (const chunk of read.chunks) expectForm('chunk', chunk);
  expect(deltas(read)).toEqual([
    ROLE,
    { reasoning_content: 'Hm.' },
    { content: 'Wait.' },
    { tool_calls: [{ index: 0, id, type: 'function', function: { name: 'f', arguments: '' } }] },
    { tool_calls: [{ index: 0, function: { arguments: '{"a"' } }] },
    { tool_calls: [{ index: 0, function: { arguments: ':1}' } }] },
    { tool_calls: [{ index: 1, id: `${id}2`, type: 'function', function: { name: 'g', arguments: '' } }] },
    {},
  ]);
});

test('an answer that begins with a tool call has null content, not empty content', async () => {
  const call = { index: 0, id: 'call_0123456789abcdefghijklmn', name: 'f', arguments: '{}' };
  const read = await stream([{ type: 'delta', choice: 0, toolCalls: [call] }, finish(0, 'tool_calls'), done]);
  for (const chunk of read.chunks) expectForm('chunk', chunk);
  expect(deltas(read)[0]).toEqual({ ...ROLE, content: null });
});

const token = (text: string): TokenLogprob => ({ token: text, logprob: -1, bytes: [97], topLogprobs: [] });

test('logprobs belong to the tokens of their delta', async () => {
  const events: CompletionEvent[] = [
    { type: 'delta', choice: 0, content: 'ab', logprobs: [token('a'), token('b')] },
    { type: 'delta', choice: 0, content: 'c', logprobs: [token('c')] },
    finish(0, 'stop'),
    done,
  ];
  const { chunks } = await stream(events, { logprobs: true });
  for (const chunk of chunks) expectForm('chunk', chunk);
  const tokens = chunks.map(({ choices }) => choices[0]!.logprobs?.content.map(({ token }) => token) ?? null);
  expect(tokens).toEqual([null, ['a', 'b'], ['c'], null]);
  const plain = await stream(events);
  expect(plain.chunks.every(({ choices }) => choices[0]!.logprobs === null)).toBe(true);
});

test('events that come together make the same stream as events that come one by one', async () => {
  const events = answerIn('Hel', 'lo', '.');
  const alone = await stream(events);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(events.length), { maxLength: 4 }), async (cuts) => {
      const { responded, completion } = await begin();
      const bounds = [0, ...cuts.toSorted((a, b) => a - b), events.length];
      for (const [at, from] of bounds.slice(0, -1).entries()) {
        const together = events.slice(from, bounds[at + 1]);
        if (together.length > 0) completion.emit(...together);
      }
      expect(deltas(await readEventStream(await responded))).toEqual(deltas(alone));
    }),
    { seed: 5, numRuns: 20 },
  );
});

test('a failure that arrives together with deltas is sent after them', async () => {
  const { responded, completion } = await begin();
  const error = new ApiError('gpu_device_lost', 'The graphics device was lost.').toData();
  completion.emit({ type: 'prefill' }, { type: 'delta', choice: 0, content: 'Hel' }, { type: 'error', error });
  const { chunks, done } = await readEventStream(await responded);
  expect(chunks.map((chunk) => chunk.error?.code ?? chunk.choices[0]!.delta)).toEqual([
    ROLE,
    { content: 'Hel' },
    'gpu_device_lost',
  ]);
  expect(done).toBe(false);
});

test('the deltas of a stream join to the content of the JSON response', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ minLength: 1, unit: 'binary' }), { maxLength: 20 }), async (pieces) => {
      const streamed = deltas(await stream(answerIn(...pieces))) as { content?: string }[];
      const app = createTestApp();
      app.service.play(answerIn(...pieces));
      const completion = (await (await app.chat(GOOD_BODY)).json()) as { choices: { message: { content: string } }[] };
      expect(streamed.map(({ content = '' }) => content).join('')).toBe(completion.choices[0]!.message.content);
      expect(completion.choices[0]!.message.content).toBe(pieces.join(''));
    }),
    { seed: 4, numRuns: 30 },
  );
}, 30_000);
