import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../../src/shared/api-error.ts';
import { canContinue, replayRequest } from '../../../src/chat/answers/continue-answer.ts';
import { answerRequest } from '../../../src/chat/api/answer-request.ts';
import { RunningAnswer } from '../../../src/chat/answers/running-answer.ts';
import type { Answer } from '../../../src/chat/types/conversation.ts';
import { sampleAnswer, sampleQuestion } from '../../gallery/samples/conversation.ts';

const READY = () => Promise.resolve();
const PATH = [sampleQuestion()];

afterEach(() => vi.unstubAllGlobals());

function chunk(fields: object): string {
  const common = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'pocket', usage: null };
  return `data: ${JSON.stringify({ ...common, ...fields })}\n\n`;
}

/** A stream as the endpoint sends it, from the pieces of one answer. */
function streamOf(pieces: readonly string[], { reason = 'stop', end = 'data: [DONE]\n\n' } = {}): string {
  return [
    ': keep-alive\n\n',
    chunk({ choices: [{ index: 0, delta: { role: 'assistant', content: '', refusal: null }, finish_reason: null }] }),
    ...pieces.map((content) => chunk({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })),
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: reason }] }),
    chunk({ choices: [], usage: { prompt_tokens: 9, completion_tokens: pieces.length } }),
    end,
  ].join('');
}

/** Answers each request with the next of these bodies, in pieces of `size` bytes, and records the requests. */
function endpoint(
  bodies: readonly (string | { status: number; json: object })[],
  size = 7,
): { readonly asked: unknown[] } {
  const asked: unknown[] = [];
  vi.stubGlobal('fetch', (_address: string, { body }: { body: string }) => {
    asked.push(JSON.parse(body));
    const next = bodies[asked.length - 1] ?? '';
    if (typeof next !== 'string') return Promise.resolve(Response.json(next.json, { status: next.status }));
    const bytes = new TextEncoder().encode(next);
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
      bytes.slice(index * size, (index + 1) * size),
    );
    const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        const piece = pieces.shift();
        if (piece === undefined) controller.close();
        else controller.enqueue(piece);
      },
    });
    return Promise.resolve(new Response(stream));
  });
  return { asked };
}

async function write(answer: Answer = sampleAnswer({ text: '', state: 'running' })): Promise<Answer> {
  const running = new RunningAnswer(answer, READY);
  await running.write(() => answerRequest('pocket', PATH, answer.settings, answer.seed));
  return running.answer;
}

test('a stream that is split at any byte gives the same answer and figures', async () => {
  const text = ['Grüße, ', '世界 ', '👋', '\n\n', 'data: not an event'];
  for (const size of [1, 2, 3, 50, 10_000]) {
    endpoint([streamOf(text)], size);
    expect(await write()).toMatchObject({
      text: text.join(''),
      state: 'complete',
      finishReason: 'stop',
      promptTokens: 9,
      completionTokens: 5,
    });
  }
});

test('the request contains the chosen settings, and omits those left to the model', async () => {
  const { asked } = endpoint([streamOf(['x'])]);
  await write();
  expect(asked).toEqual([
    {
      model: 'pocket',
      messages: [{ role: 'user', content: 'Why?' }],
      seed: 7,
      stream: true,
      stream_options: { include_usage: true },
    },
  ]);
});

test.each([
  [
    'an error before the answer',
    {
      status: 404,
      json: {
        error: { message: 'No such model.', type: 'invalid_request_error', code: 'model_not_found', param: 'model' },
      },
    },
    'model_not_found',
    '',
  ],
  ['an HTML page of the server instead of the endpoint', { status: 404, json: {} }, 'engine_unavailable', ''],
  [
    'an error during the answer',
    streamOf(['Half'], { end: '' }).replace(
      /data: [^\n]*finish_reason":"stop[^]*$/,
      'data: {"error":{"message":"Lost.","type":"server_error","code":"gpu_device_lost","param":null}}\n\n',
    ),
    'gpu_device_lost',
    'Half',
  ],
  ['a stream that ends without content', streamOf(['Half'], { end: '' }), 'engine_unavailable', 'Half'],
])('%s makes a failed answer that keeps its text', async (_name, body, code, text) => {
  endpoint([body]);
  expect(await write()).toMatchObject({ state: 'failed', error: { code }, text });
});

test('an answer that is stopped before the endpoint is ready is stopped and empty', async () => {
  endpoint([streamOf(['never asked'])]);
  const running = new RunningAnswer(sampleAnswer({ text: '' }), () => new Promise(() => {}));
  const writing = running.write(() => answerRequest('pocket', PATH, running.answer.settings, 7));
  running.stop();
  await writing;
  expect(running.answer).toMatchObject({ state: 'stopped', text: '' });
});

test('if the endpoint is unreachable, the answer fails with the reason', async () => {
  const { asked } = endpoint([streamOf(['never asked'])]);
  const reason = new ApiError('gpu_unavailable', 'There is no graphics device.');
  const running = new RunningAnswer(sampleAnswer({ text: '' }), () => Promise.reject(reason));
  await running.write(() => answerRequest('pocket', PATH, running.answer.settings, 7));
  expect(running.answer).toMatchObject({
    state: 'failed',
    error: { code: 'gpu_unavailable', message: reason.message },
  });
  expect(asked).toHaveLength(0);
});

test('settings with an invalid JSON Schema fail the answer at once, name the settings, and send no request', async () => {
  const { asked } = endpoint([]);
  const settings = { ...sampleAnswer().settings, jsonSchema: '{oops' };
  for (const text of ['', 'begun']) {
    const answer = sampleAnswer({ text, state: 'interrupted', settings });
    const running = new RunningAnswer(answer, READY);
    if (text === '') await running.write(() => answerRequest('pocket', PATH, settings, 7));
    else {
      await running.continue(() => replayRequest(answer, PATH));
    }
    expect(running.answer).toMatchObject({
      text,
      state: 'failed',
      error: { code: 'invalid_value', message: expect.stringContaining('settings') },
    });
  }
  expect(asked).toEqual([]);
});

test('an answer that was cut off continues without a gap if the model repeats its text', async () => {
  const cut = sampleAnswer({ text: 'One two', state: 'stopped', finishReason: null });
  const { asked } = endpoint([streamOf(['One', ' tw', 'o thr', 'ee'])]);
  const running = new RunningAnswer(cut, READY);
  const seen: string[] = [];
  running.addEventListener('change', () => seen.push(running.answer.text));
  await running.continue(() => replayRequest(cut, PATH));
  expect(running.answer).toMatchObject({ text: 'One two three', state: 'complete' });
  expect(seen.every((text) => text.startsWith('One two'))).toBe(true);
  expect(asked).toHaveLength(1);
});

test('a model that does not repeat the text gets a message that asks it to continue', async () => {
  const cut = sampleAnswer({ text: 'One two', state: 'interrupted' });
  const { asked } = endpoint([streamOf(['One ', 'day']), streamOf([' three', ' four'])]);
  const running = new RunningAnswer(cut, READY);
  await running.continue(() => replayRequest(cut, PATH));
  expect(running.answer).toMatchObject({ text: 'One two three four', state: 'complete' });
  expect(asked[1]).toMatchObject({
    messages: [{ content: 'Why?' }, { role: 'assistant', content: 'One two' }, { role: 'user' }],
  });
});

test('an answer that was cut by its limit and cannot be repeated gets the same number of tokens again', async () => {
  const settings = { ...sampleAnswer().settings, maxTokens: 10 };
  const cut = sampleAnswer({ text: 'One two', finishReason: 'length', settings, completionTokens: 10 });
  const { asked } = endpoint([streamOf(['One ', 'day']), streamOf([' three'])]);
  await new RunningAnswer(cut, READY).continue(() => replayRequest(cut, PATH));
  expect(asked).toMatchObject([{ max_completion_tokens: 20 }, { max_completion_tokens: 10 }]);
  expect(asked).toHaveLength(2);
});

test('an answer that was cut by its limit continues with the same number of tokens again', () => {
  const settings = { ...sampleAnswer().settings, maxTokens: 10 };
  const cut = sampleAnswer({ finishReason: 'length', settings, completionTokens: 10 });
  expect(replayRequest(cut, PATH)).toMatchObject({ max_completion_tokens: 20, seed: 7 });
  expect(replayRequest({ ...cut, completionTokens: 20 }, PATH)).toMatchObject({ max_completion_tokens: 30 });
});

test.each([
  ['stopped', sampleAnswer({ state: 'stopped' }), true],
  ['interrupted', sampleAnswer({ state: 'interrupted' }), true],
  ['failed with some text', sampleAnswer({ state: 'failed' }), true],
  ['failed without any text', sampleAnswer({ state: 'failed', text: '' }), false],
  ['complete', sampleAnswer(), false],
  [
    'cut by its limit',
    sampleAnswer({ finishReason: 'length', settings: { ...sampleAnswer().settings, maxTokens: 5 } }),
    true,
  ],
  ['cut by the context window', sampleAnswer({ finishReason: 'length' }), false],
])('an answer that is %s can be continued, or not', (_name, answer, expected) => {
  expect(canContinue(answer)).toBe(expected);
});

/** Returns an answer that received these pieces at intervals of 100 ms and was then stopped. */
async function stoppedAfter(deltas: readonly object[]): Promise<Answer> {
  vi.spyOn(performance, 'now').mockImplementation(() => time);
  let time = 0;
  const encoder = new TextEncoder();
  const running = new RunningAnswer(sampleAnswer({ text: '', completionTokens: null, tokensPerSecond: null }), READY);
  vi.stubGlobal('fetch', (_address: string, { signal }: { signal: AbortSignal }) => {
    const rest = [...deltas];
    const body = new ReadableStream({
      pull(controller) {
        const delta = rest.shift();
        time += 100;
        if (delta === undefined) {
          signal.addEventListener('abort', () => controller.error(signal.reason));
          running.stop();
        } else controller.enqueue(encoder.encode(chunk({ choices: [{ index: 0, delta, finish_reason: null }] })));
      },
    });
    return Promise.resolve(new Response(body));
  });
  await running.write(() => answerRequest('pocket', PATH, running.answer.settings, 7));
  vi.restoreAllMocks();
  return running.answer;
}

test('a stopped answer keeps its number of tokens and its speed', async () => {
  const answer = await stoppedAfter(['One', ' two', ' three'].map((content) => ({ content })));
  expect(answer).toMatchObject({ state: 'stopped', text: 'One two three', completionTokens: 3 });
  expect(answer.tokensPerSecond).toBeGreaterThan(0);
  expect(answer.thinkingTime ?? null).toBeNull();
});

test('the thinking time lasts from the first thought to the last, and thoughts count as tokens', async () => {
  const thoughts = ['Well', ', so', ' it is'].map((reasoning_content) => ({ reasoning_content }));
  const answer = await stoppedAfter([...thoughts, { content: 'Yes' }, { content: '.' }]);
  expect(answer).toMatchObject({ thinking: 'Well, so it is', text: 'Yes.', completionTokens: 5 });
  expect(answer.thinkingTime).toBeGreaterThanOrEqual(100);
  expect(answer.thinkingTime).toBeLessThan(500);
});

test('during prefill the answer reports its progress', async () => {
  endpoint([`: queued 1\n\n: prefill\n\n: prefill 512 tokens\n\n: prefill 1024 tokens\n\n${streamOf(['Hello.'])}`]);
  const answer = sampleAnswer({ text: '', state: 'running' });
  const running = new RunningAnswer(answer, READY);
  const told: (number | undefined)[] = [];
  const begun = performance.now();
  running.addEventListener('change', () => {
    if (running.answer.text === '' && told.at(-1) !== running.reading?.tokens) told.push(running.reading?.tokens);
  });
  await running.write(() => answerRequest('pocket', PATH, answer.settings, answer.seed));
  expect(told).toEqual([512, 1024]);
  expect(running.reading!.since).toBeGreaterThanOrEqual(begun);
  expect(running.answer).toMatchObject({ state: 'complete', text: 'Hello.' });
});
