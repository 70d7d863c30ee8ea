import * as ai6 from 'ai';
import type { LanguageModel } from 'ai';
import * as ai7 from 'ai7';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type * as module from '../../src/ai/create-tabserve.ts';
import { ApiError, errorBody } from '../../src/shared/api-error.ts';
import { sleep } from '../../src/shared/timeout.ts';
import { createTestApp, MODELS, ORIGIN, type TestApp } from '../service-worker/support/test-app.ts';

let app: TestApp;
let requests: { readonly url: string; readonly key: string | null; readonly body: Record<string, unknown> }[];

beforeEach(() => {
  vi.stubGlobal('location', new URL(ORIGIN));
  app = createTestApp({
    models: async () => [...MODELS, { ...MODELS[0]!, id: 'vectors', embedding: { dimensions: 2 } }],
  });
  requests = [];
});

afterEach(() => vi.unstubAllGlobals());

const answering: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  const { url, headers } = request;
  requests.push({ url, key: headers.get('authorization'), body: await request.clone().json() });
  return app.fetch(request);
};

const tabserve = { ready: Promise.resolve(), fetch: answering, basePath: '/v1' };

// Both versions are peers of the package. Their types differ in parts that the tests do not use.
const VERSIONS = {
  '`ai` 6 with `@ai-sdk/openai-compatible` 2': [ai6, '@ai-sdk/openai-compatible'],
  '`ai` 7 with `@ai-sdk/openai-compatible` 3': [ai7 as unknown as typeof ai6, 'ai-sdk-openai-compatible3'],
} as const;

describe.each(Object.entries(VERSIONS))('%s:', (_, [ai, provider]) => {
  const { embedMany, generateText, jsonSchema, Output, streamText } = ai;
  let createTabserve: typeof module.createTabserve;

  beforeAll(async () => {
    vi.resetModules();
    vi.doMock('@ai-sdk/openai-compatible', () => vi.importActual(provider));
    ({ createTabserve } = await import('../../src/ai/create-tabserve.ts'));
  });

  afterAll(() => vi.doUnmock('@ai-sdk/openai-compatible'));

  const connect = (apiKey?: string) => createTabserve(tabserve, apiKey === undefined ? {} : { apiKey });

  test('text comes from the endpoint of the page, with the key `local`', async () => {
    const { text, usage } = await generateText({ model: connect()('pocket'), prompt: 'Hi' });
    expect(text).toBe('Hello.');
    expect(usage.totalTokens).toBe(17);
    expect(requests).toMatchObject([{ url: `${ORIGIN}/v1/chat/completions`, key: 'Bearer local' }]);
  });

  test('a stream reports its usage', async () => {
    const { textStream, usage } = streamText({ model: connect()('pocket'), prompt: 'Hi' });
    let text = '';
    for await (const piece of textStream) text += piece;
    expect(text).toBe('Hello.');
    expect((await usage).totalTokens).toBe(17);
  });

  test('a schema is sent to the endpoint, which enforces it', async () => {
    const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;
    const output = Output.object({ schema: jsonSchema(schema) });
    // The scripted answer is not JSON. The test examines the request only.
    await generateText({ model: connect()('pocket'), prompt: 'Hi', output }).catch(() => {});
    expect(requests[0]!.body).toMatchObject({ response_format: { type: 'json_schema', json_schema: { schema } } });
  });

  test('embeddings come from the endpoint', async () => {
    const usage = { promptTokens: 3, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 };
    app.service.play([
      { type: 'delta', choice: 0, embedding: Float32Array.of(0.6, -0.8) },
      { type: 'done', usage },
    ]);
    const { embeddings } = await embedMany({ model: connect().embeddingModel('vectors'), values: ['Hi'] });
    expect(embeddings).toEqual([[expect.closeTo(0.6), expect.closeTo(-0.8)]]);
  });

  test('a key that the site configures is sent instead of `local`', async () => {
    await generateText({ model: connect('narrow')('org/seer'), prompt: 'Hi' });
    expect(requests[0]!.key).toBe('Bearer narrow');
  });

  test('a call waits until the endpoint is ready', async () => {
    let becomeReady!: () => void;
    const ready = new Promise<void>((resolve) => (becomeReady = resolve));
    const answer = generateText({ model: createTabserve({ ...tabserve, ready })('pocket'), prompt: 'Hi' });
    // Long enough for a call that does not wait.
    await sleep(10);
    expect(requests).toEqual([]);
    becomeReady();
    expect((await answer).text).toBe('Hello.');
  });

  test.each([
    [
      'generated text',
      (model: LanguageModel, abortSignal: AbortSignal) => generateText({ model, prompt: 'Hi', abortSignal }),
    ],
    [
      'streamed text',
      async (model: LanguageModel, abortSignal: AbortSignal) => {
        const parts = [];
        for await (const { type } of streamText({ model, prompt: 'Hi', abortSignal }).fullStream) parts.push(type);
        if (parts.includes('abort')) throw new DOMException('Stopped.', 'AbortError');
      },
    ],
  ])('%s that is stopped does not wait until the endpoint is ready', async (_kind, call) => {
    const stop = new AbortController();
    const answer = call(createTabserve({ ...tabserve, ready: new Promise(() => {}) })('pocket'), stop.signal);
    await sleep(10);
    stop.abort();
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
    expect(requests).toEqual([]);
  });

  test.each([
    ['gpu_device_lost', 'The graphics device was lost.', 3],
    ['answer_cancelled', 'This answer was cancelled before its end.', 1],
  ] as const)(
    'an answer that fails by %s after its headers is an error that says why',
    async (code, message, attempts) => {
      const fail = vi.fn<typeof fetch>(async () => Response.json(errorBody(new ApiError(code, message))));
      const model = createTabserve({ ...tabserve, fetch: fail })('pocket');
      await expect(generateText({ model, prompt: 'Hi', maxRetries: 0 })).rejects.toThrow(message);
      fail.mockClear();
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      const repeated = generateText({ model, prompt: 'Hi', maxRetries: 2 }).catch(() => {});
      await vi.advanceTimersByTimeAsync(20_000);
      await repeated;
      expect(fail).toHaveBeenCalledTimes(attempts);
    },
  );

  test('a call goes to the base path that the service worker reported', async () => {
    const elsewhere = { ...tabserve };
    const model = createTabserve(elsewhere)('pocket');
    elsewhere.basePath = '/api/v1';
    await generateText({ model, prompt: 'Hi', maxRetries: 0 }).catch(() => {});
    expect(requests).toMatchObject([{ url: `${ORIGIN}/api/v1/chat/completions` }]);
  });

  test('a call fails with the reason why the browser cannot run the endpoint', async () => {
    const ready = Promise.reject(new Error('There is no WebGPU.'));
    const model = createTabserve({ ...tabserve, ready })('pocket');
    await expect(generateText({ model, prompt: 'Hi', maxRetries: 0 })).rejects.toThrow('There is no WebGPU.');
    expect(requests).toEqual([]);
  });
});
