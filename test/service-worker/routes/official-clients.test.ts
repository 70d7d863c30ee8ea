import OpenAI6 from 'openai';
import OpenAI7 from 'openai7';
import { describe, expect, test, vi } from 'vitest';
import { ApiError, type ApiErrorCode } from '../../../src/shared/api-error.ts';
import type { CallEngine } from '../../../src/shared/engine/engine.ts';
import { EARLY_HEADERS_HEADER } from '../../../src/shared/http/early-headers.ts';
import type { App } from '../../../src/service-worker/create-app.ts';
import { answerIn } from '../support/scripted-service.ts';
import { createTestApp, MODELS, ORIGIN, type TestApp } from '../support/test-app.ts';

const MESSAGES = [{ role: 'user' as const, content: 'Hi' }];
const CHAT = { model: 'pocket', messages: MESSAGES };

const MODELS_AND_VECTORS = [...MODELS, { ...MODELS[0]!, id: 'vectors', embedding: { dimensions: 2 } }];

/** The client's `fetch` option, which calls the app instead of the network. */
const fetchFrom =
  (app: App): typeof fetch =>
  (input, init) =>
    app.fetch(new Request(input, init));

type ResponseInput = NonNullable<Parameters<OpenAI7['responses']['create']>[0]['input']>;

const clients = {
  'openai 7': (app: TestApp, apiKey: string) =>
    new OpenAI7({ apiKey, baseURL: `${ORIGIN}/v1`, fetch: fetchFrom(app), maxRetries: 2 }),
  'openai 6': (app: TestApp, apiKey: string) =>
    // The two versions differ in private members only, so one type serves for both.
    new OpenAI6({ apiKey, baseURL: `${ORIGIN}/v1`, fetch: fetchFrom(app), maxRetries: 2 }) as unknown as OpenAI7,
};
const errorClasses = { 'openai 7': OpenAI7, 'openai 6': OpenAI6 as unknown as typeof OpenAI7 };

function failWith(app: TestApp, code: ApiErrorCode): void {
  app.service.play([{ type: 'error', error: new ApiError(code, 'It did not work out.', { retryAfter: 1 }).toData() }]);
}

describe.each(['openai 7', 'openai 6'] as const)('%s', (version) => {
  const connect = (key = 'local') => {
    const app = createTestApp({ models: async () => MODELS_AND_VECTORS });
    return { app, client: clients[version](app, key) };
  };

  test('gets a JSON response', async () => {
    const { client } = connect();
    const completion = await client.chat.completions.create(CHAT);
    expect(completion.choices[0]!.message.content).toBe('Hello.');
    expect(completion.usage!.total_tokens).toBe(17);
    expect(completion).toHaveProperty('_request_id', expect.stringMatching(/^req_/));
  });

  test.each([undefined, 'float', 'base64'] as const)('gets vectors (%s)', async (format) => {
    const { app, client } = connect();
    const embedding = Float32Array.of(0.6, -0.8);
    const usage = { promptTokens: 3, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 };
    app.service.play([
      { type: 'delta', choice: 0, embedding },
      { type: 'done', usage },
    ]);
    const { data } = await client.embeddings.create({
      model: 'vectors',
      input: ['Hi'],
      ...(format && { encoding_format: format }),
    });
    // Without a format the client requests base64 and decodes it.
    const expected = format === 'base64' ? Buffer.from(embedding.buffer).toString('base64') : [...embedding];
    expect(data).toEqual([{ object: 'embedding', index: 0, embedding: expected }]);
  });

  test('reads a stream to its end', async () => {
    const { client } = connect();
    const stream = await client.chat.completions.create({
      ...CHAT,
      stream: true,
      stream_options: { include_usage: true },
    });
    const pieces: string[] = [];
    let usage;
    for await (const chunk of stream) {
      pieces.push(chunk.choices[0]?.delta.content ?? '');
      usage = chunk.usage ?? usage;
    }
    expect(pieces.join('')).toBe('Hello.');
    expect(usage).toMatchObject({ total_tokens: 17 });
  });

  test('assembles a tool call', async () => {
    const { app, client } = connect();
    const id = 'call_0123456789abcdefghijklmn';
    app.service.play([
      { type: 'delta', choice: 0, toolCalls: [{ index: 0, id, name: 'add', arguments: '' }] },
      { type: 'delta', choice: 0, toolCalls: [{ index: 0, arguments: '{"a":1,' }] },
      { type: 'delta', choice: 0, toolCalls: [{ index: 0, arguments: '"b":2}' }] },
      { type: 'finish', choice: 0, reason: 'tool_calls' },
      ...answerIn().slice(-1),
    ]);
    const tools = [{ type: 'function' as const, function: { name: 'add', parameters: { type: 'object' } } }];
    const message = await client.chat.completions.stream({ ...CHAT, tools }).finalMessage();
    expect(message.tool_calls).toMatchObject([
      { id, type: 'function', function: { name: 'add', arguments: '{"a":1,"b":2}' } },
    ]);
  });

  test('assembles a call of a custom tool', async () => {
    const { app, client } = connect();
    const id = 'call_0123456789abcdefghijklmn';
    app.service.play([
      { type: 'delta', choice: 0, toolCalls: [{ index: 0, id, name: 'run', arguments: '', custom: true }] },
      { type: 'delta', choice: 0, toolCalls: [{ index: 0, arguments: '1 + 1', custom: true }] },
      { type: 'finish', choice: 0, reason: 'tool_calls' },
      ...answerIn().slice(-1),
    ]);
    const tools = [{ type: 'custom' as const, custom: { name: 'run' } }];
    const { message } = (await client.chat.completions.create({ ...CHAT, tools })).choices[0]!;
    expect(message.tool_calls).toEqual([{ id, type: 'custom', custom: { name: 'run', input: '1 + 1' } }]);
    const history = [...MESSAGES, message, { role: 'tool' as const, tool_call_id: id, content: '2' }];
    await client.chat.completions.create({ ...CHAT, tools, messages: history });
    expect(app.service.completions[1]!.request.messages[1]).toMatchObject({
      toolCalls: [{ id, name: 'run', arguments: '1 + 1', custom: true }],
    });
  });

  test('continues a text, whole and as a stream', async () => {
    const { app, client } = connect();
    const text = { model: 'pocket', prompt: 'Once', echo: true };
    const whole = await client.completions.create(text);
    expect(whole.choices[0]).toMatchObject({ text: 'Hello.', finish_reason: 'stop' });
    expect(app.service.completions[0]!.request.raw).toEqual({ prompts: ['Once'], suffix: null, echo: true });
    const pieces: string[] = [];
    for await (const chunk of await client.completions.create({ ...text, stream: true })) {
      pieces.push(chunk.choices[0]!.text);
    }
    expect(pieces.join('')).toBe('Hello.');
  });

  test('lists models and retrieves one', async () => {
    const { client } = connect();
    const ids: string[] = [];
    for await (const model of client.models.list()) ids.push(model.id);
    expect(ids).toEqual(MODELS_AND_VECTORS.map(({ id }) => id));
    expect(await client.models.retrieve('org/seer')).toMatchObject({ id: 'org/seer', object: 'model' });
  });

  test('ends a stream by break and by abort, which ends the completion', async () => {
    const { app, client } = connect();
    app.service.play(answerIn('a').slice(0, 2));
    for await (const chunk of await client.chat.completions.create({ ...CHAT, stream: true })) {
      if (chunk.choices[0]?.delta.content === 'a') break;
    }
    expect(app.service.completions[0]!.cancelled).toBe(true);

    const leaving = new AbortController();
    const stream = await client.chat.completions.create({ ...CHAT, stream: true }, { signal: leaving.signal });
    const read = async (): Promise<void> => {
      for await (const chunk of stream) if (chunk.choices[0]?.delta.content === 'a') leaving.abort();
    };
    // This client ends its loop without an error when its own signal aborts.
    await read();
    expect(app.service.completions[1]!.cancelled).toBe(true);
  });

  test('throws its own error classes and does not retry permanent errors', async () => {
    const { app, client } = connect();
    const { AuthenticationError, NotFoundError, BadRequestError, InternalServerError } = errorClasses[version];
    await expect(connect('wrong').client.chat.completions.create(CHAT)).rejects.toBeInstanceOf(AuthenticationError);
    const unknown = client.chat.completions.create({ ...CHAT, model: 'nobody' });
    await expect(unknown).rejects.toBeInstanceOf(NotFoundError);
    await expect(unknown).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
      param: 'model',
      requestID: expect.stringMatching(/^req_/),
    });
    await expect(client.chat.completions.create({ ...CHAT, temperature: 3 })).rejects.toBeInstanceOf(BadRequestError);
    expect(app.service.completions).toEqual([]);

    failWith(app, 'gpu_unavailable');
    const hopeless = client.chat.completions.create({ ...CHAT, stream: true });
    await expect(hopeless).rejects.toBeInstanceOf(InternalServerError);
    await expect(hopeless).rejects.toMatchObject({ status: 503, code: 'gpu_unavailable' });
    expect(app.service.completions).toHaveLength(1);
  });

  test('counts the tokens of a response', async () => {
    const called = vi.fn<(...call: unknown[]) => Promise<object>>(async () => ({ tokens: [1, 2, 3], pieces: null }));
    const app = createTestApp({ callEngine: called as unknown as CallEngine });
    const client = clients[version](app, 'local');
    const conversation = { instructions: 'Be brief.', input: [{ role: 'user' as const, content: 'Hi' }] };
    const counted = await client.responses.inputTokens.count({ model: 'pocket', ...conversation });
    expect(counted).toMatchObject({ object: 'response.input_tokens', input_tokens: 3 });
    expect(called.mock.calls[0]).toMatchObject([
      'models/tokenize',
      {
        input: {
          request: {
            messages: [
              { role: 'system', content: 'Be brief.' },
              { role: 'user', content: 'Hi' },
            ],
          },
        },
      },
      {},
    ]);
  });

  test('compacts a conversation, and continues with the result', async () => {
    const { app, client } = connect();
    const compacted = await client.responses.compact({
      model: 'pocket',
      input: [
        { role: 'user', content: 'My dog is called Bello.' },
        { role: 'assistant', content: 'A fine name.' },
      ],
    });
    expect(compacted).toMatchObject({
      object: 'response.compaction',
      id: expect.any(String),
      usage: { total_tokens: 0 },
    });
    expect(compacted.output.map(({ type }) => type)).toEqual(['message', 'compaction']);
    const input = [...compacted.output, { role: 'user', content: 'What is its name?' }] as ResponseInput;
    const response = await client.responses.create({ model: 'pocket', input });
    expect(response.output_text).toBe('Hello.');
    expect(app.service.completions[0]!.request.messages).toMatchObject([
      { role: 'user', content: 'My dog is called Bello.' },
      { role: 'assistant', content: expect.stringContaining('A fine name.') },
      { role: 'user', content: 'What is its name?' },
    ]);
  });

  test('retries when the queue is full', async () => {
    const { app, client } = connect();
    failWith(app, 'rate_limit_exceeded');
    const answer = client.chat.completions.create(CHAT);
    while (app.service.completions.length === 0) await new Promise(setImmediate);
    app.service.play(answerIn('Now.'));
    expect((await answer).choices[0]!.message.content).toBe('Now.');
    expect(app.service.completions).toHaveLength(2);
  });

  test('throws on a failure during a stream', async () => {
    const { app, client } = connect();
    app.service.play([
      ...answerIn('a').slice(0, 2),
      { type: 'error', error: new ApiError('gpu_device_lost', 'The graphics device went away.').toData() },
    ]);
    const stream = await client.chat.completions.create({ ...CHAT, stream: true });
    const read = async (): Promise<void> => {
      for await (const chunk of stream) expect(chunk.choices).toHaveLength(1);
    };
    await expect(read()).rejects.toMatchObject({
      code: 'gpu_device_lost',
      message: expect.stringContaining('graphics device'),
    });
  });

  test('returns the error object of a failure after the headers of JSON in place of a completion', async () => {
    const { app } = connect();
    app.service.play([{ type: 'prefill' }]);
    let answered = false;
    const client = clients[version](app, 'local').withOptions({
      fetch: async (input, init) => {
        const response = await app.fetch(new Request(input, init));
        answered = true;
        return response;
      },
    });
    const returned = client.chat.completions.create(CHAT, { headers: { [EARLY_HEADERS_HEADER]: '1' } });
    await vi.waitUntil(() => answered);
    const error = new ApiError('context_length_exceeded', 'It is too long.').toData();
    app.service.completions.at(-1)!.emit({ type: 'error', error });
    expect(await returned).toMatchObject({ error: { code: 'context_length_exceeded' } });
    expect((await returned).choices).toBeUndefined();
  });

  test('parses a long wait with comments', async () => {
    const app = createTestApp({ settings: { headersDelay: 5, keepAliveInterval: 5 } });
    app.service.play([{ type: 'queued', position: 1 }]);
    const client = clients[version](app, 'local');
    const streamed = client.chat.completions.stream(CHAT).finalContent();
    const whole = client.chat.completions.create(CHAT);
    while (app.service.completions.length < 2) await new Promise(setImmediate);
    await new Promise((resolve) => setTimeout(resolve, 50));
    for (const completion of app.service.completions) completion.emit(...answerIn('At ', 'last.'));
    expect(await streamed).toBe('At last.');
    expect((await whole).choices[0]!.message.content).toBe('At last.');
  });
});
