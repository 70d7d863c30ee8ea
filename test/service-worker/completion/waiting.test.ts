import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../../../src/shared/api-error.ts';
import type { CompletionEvent } from '../../../src/shared/engine/completion-event.ts';
import { EARLY_HEADERS_HEADER } from '../../../src/shared/http/early-headers.ts';
import { parseEventStream } from '../support/read-event-stream.ts';
import { readError } from '../support/read-error.ts';
import { answerIn, USAGE } from '../support/scripted-service.ts';
import { createTestApp, GOOD_BODY } from '../support/test-app.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const content = (text: string): CompletionEvent => ({ type: 'delta', choice: 0, content: text });
const END: readonly CompletionEvent[] = [
  { type: 'finish', choice: 0, reason: 'stop' },
  { type: 'done', usage: USAGE },
];

/** A chat request that wants early headers, whose completion has sent `events`; the test sends the rest. */
async function begin(fields: object, ...events: readonly CompletionEvent[]) {
  const app = createTestApp();
  app.service.play(events);
  let response: Response | undefined;
  const init = { headers: { [EARLY_HEADERS_HEADER]: '1' } };
  const responded = app.chat({ ...GOOD_BODY, ...fields }, init).then((value) => (response = value));
  // Waits in real time: the hash that identifies the request is not computed by the fake clock.
  while (app.service.completions.length === 0) await new Promise(setImmediate);
  return { app, completion: app.service.completions[0]!, responded, response: () => response };
}

async function settle(): Promise<void> {
  await vi.advanceTimersByTimeAsync(0);
}

/** Reads what is available of a body without waiting for more. */
function collect(response: Response): { text: () => string; ended: () => boolean } {
  const decoder = new TextDecoder();
  let text = '';
  let ended = false;
  void response.body!.pipeTo(
    new WritableStream({
      write(bytes: Uint8Array) {
        text += decoder.decode(bytes, { stream: true });
      },
      close() {
        ended = true;
      },
    }),
  );
  return { text: () => text, ended: () => ended };
}

describe.each([{ stream: true }, { stream: false }])('%j', (fields) => {
  test('the response headers wait 500 ms for the first output', async () => {
    const { response } = await begin(
      fields,
      { type: 'queued', position: 3 },
      { type: 'loading', progress: 0.1 },
      { type: 'prefill' },
    );
    await vi.advanceTimersByTimeAsync(499);
    expect(response()).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(response()?.status).toBe(200);
  });

  test('the response headers come with the first output', async () => {
    const { response, completion } = await begin(fields, { type: 'queued', position: 1 });
    await vi.advanceTimersByTimeAsync(100);
    expect(response()).toBeUndefined();
    completion.emit(content('a'));
    await settle();
    expect(response()?.status).toBe(200);
  });

  test('a failure within that time has its own status', async () => {
    const { responded, completion } = await begin(fields, { type: 'queued', position: 1 });
    await vi.advanceTimersByTimeAsync(499);
    completion.emit({ type: 'error', error: new ApiError('context_length_exceeded', 'Too long a text.').toData() });
    expect(await readError(await responded)).toMatchObject({ status: 400, code: 'context_length_exceeded' });
  });

  test('disconnecting while it waits ends the completion', async () => {
    const { responded, completion } = await begin(fields, { type: 'queued', position: 1 });
    await vi.advanceTimersByTimeAsync(500);
    await (await responded).body!.cancel();
    expect(completion.cancelled).toBe(true);
    await settle();
    expect(vi.getTimerCount(), 'no timer outlives it').toBe(0);
  });

  test('disconnecting while it generates ends the completion', async () => {
    const { responded, completion } = await begin(fields, content('a'));
    const reader = (await responded).body!.getReader();
    completion.emit(content('b'));
    await settle();
    await reader.cancel();
    expect(completion.cancelled).toBe(true);
  });

  test('disconnecting after the end cancels nothing', async () => {
    const { responded, completion } = await begin(fields, ...answerIn('a'));
    const reader = (await responded).body!.getReader();
    while (!(await reader.read()).done);
    await reader.cancel();
    expect(completion.cancelled).toBe(false);
  });

  test('the signal of the request cancels the completion', async () => {
    const app = createTestApp();
    app.service.play([content('a')]);
    const leaving = new AbortController();
    const headers = { [EARLY_HEADERS_HEADER]: '1' };
    const response = await app.chat({ ...GOOD_BODY, ...fields }, { headers, signal: leaving.signal });
    leaving.abort(new Error('enough'));
    await expect(response.text()).rejects.toThrow('enough');
    expect(app.service.completions[0]!.cancelled).toBe(true);
  });
});

test('comments report what a stream waits for, on each change', async () => {
  const { responded, completion } = await begin({ stream: true }, { type: 'queued', position: 2 });
  await vi.advanceTimersByTimeAsync(500);
  const body = collect(await responded);
  await settle();
  expect(body.text()).toBe(': queued 2\n\n');
  for (const event of [
    { type: 'queued', position: 1 },
    { type: 'loading', progress: 0 },
    { type: 'loading', progress: 0.379 },
    { type: 'loading', progress: 0.3791 },
    { type: 'prefill' },
  ] as const) {
    completion.emit(event);
  }
  await settle();
  completion.emit(content('Hi'), ...END);
  await settle();
  const { comments, chunks, done } = parseEventStream(body.text());
  expect(comments).toEqual(['queued 2', 'queued 1', 'loading 0 %', 'loading 37 %', 'prefill']);
  expect(chunks).toHaveLength(3);
  expect(done).toBe(true);
  expect(body.ended()).toBe(true);
});

test('a stream is kept alive by a comment after each silence', async () => {
  const { responded, completion } = await begin({ stream: true }, { type: 'queued', position: 2 });
  await vi.advanceTimersByTimeAsync(500);
  const body = collect(await responded);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(parseEventStream(body.text()).comments).toEqual(['queued 2', 'queued 2', 'queued 2']);
  completion.emit(content('a'));
  await vi.advanceTimersByTimeAsync(9_999);
  expect(parseEventStream(body.text()).comments).toHaveLength(3);
  await vi.advanceTimersByTimeAsync(1);
  expect(parseEventStream(body.text()).comments.slice(3)).toEqual(['keep-alive']);
});

test.each([
  { stream: true, says: 'loading 30 %' },
  { stream: false, says: '' },
])('events without content do not delay the keep-alive, $stream', async ({ stream, says }) => {
  const { responded, completion } = await begin({ stream }, { type: 'prefill' });
  await vi.advanceTimersByTimeAsync(500);
  const body = collect(await responded);
  completion.emit({ type: 'loading', progress: 0.3 });
  await settle();
  const before = body.text();
  for (let second = 1; second <= 30; second++) {
    await vi.advanceTimersByTimeAsync(1000);
    completion.emit({ type: 'loading', progress: 0.3 + second / 10_000 });
    await settle();
  }
  const signs = body.text().slice(before.length);
  expect(signs).toBe((stream ? `: ${says}\n\n` : '\n').repeat(3));
});

test('a JSON response sends keep-alives while the model generates', async () => {
  const { responded, completion } = await begin({}, content('a'));
  const body = collect(await responded);
  for (let second = 1; second <= 30; second++) {
    await vi.advanceTimersByTimeAsync(1000);
    completion.emit(content('b'));
    await settle();
  }
  expect(body.text()).toMatch(/^\s{3}$/);
});

test('a stream without progress events sends plain keep-alives', async () => {
  const { responded } = await begin({ stream: true });
  await vi.advanceTimersByTimeAsync(500);
  const body = collect(await responded);
  await settle();
  expect(body.text()).toBe(': keep-alive\n\n');
});

test('white space keeps a JSON response alive, and it stays JSON', async () => {
  const { responded, completion } = await begin({}, { type: 'queued', position: 2 });
  await vi.advanceTimersByTimeAsync(500);
  const body = collect(await responded);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(body.text()).toMatch(/^\s{3}$/);
  completion.emit(content('Hi'), ...END);
  await settle();
  expect(JSON.parse(body.text())).toMatchObject({ choices: [{ message: { content: 'Hi' } }] });
  expect(body.ended()).toBe(true);
});

test('a JSON response is sent only when it is complete', async () => {
  const { responded, completion } = await begin({}, content('a'));
  const body = collect(await responded);
  completion.emit(content('b'));
  await settle();
  expect(body.text()).toBe('');
});

test('deltas are sent as they arrive', async () => {
  const { responded, completion } = await begin({ stream: true }, content('a'));
  const body = collect(await responded);
  await settle();
  expect(parseEventStream(body.text()).chunks).toHaveLength(2);
  completion.emit(content('b'));
  await settle();
  expect(parseEventStream(body.text()).chunks).toHaveLength(3);
});
