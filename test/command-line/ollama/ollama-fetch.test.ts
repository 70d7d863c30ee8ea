import { expect, onTestFinished, test, vi } from 'vitest';
import { createOllamaFetch } from '../../../src/command-line/ollama/create-ollama-fetch.ts';
import { ApiError } from '../../../src/shared/api-error.ts';
import type { CompletionEvent } from '../../../src/shared/engine/completion-event.ts';
import { USAGE } from '../../service-worker/support/scripted-service.ts';
import { createOllamaApp, formErrors } from './ollama-app.ts';

const QUESTION = { model: 'pocket', messages: [{ role: 'user', content: 'Hi' }] };

const completionOf = (
  deltas: readonly Omit<Extract<CompletionEvent, { type: 'delta' }>, 'type' | 'choice'>[],
  reason: 'stop' | 'length' | 'tool_calls' = 'stop',
): CompletionEvent[] => [
  { type: 'prefill' },
  ...deltas.map((delta) => ({ type: 'delta', choice: 0, ...delta }) as const),
  { type: 'finish', choice: 0, reason },
  { type: 'done', usage: USAGE },
];

/** Returns the engine's request for a body. */
async function received(path: string, body: object) {
  const { app, ask } = createOllamaApp();
  const response = await ask(path, body);
  if (response.status !== 200) throw new Error(await response.text());
  await response.body?.cancel();
  return app.service.completions.at(-1)!.request;
}

test('an answer is streamed in lines, the last of which has usage and durations', async () => {
  const { lines } = createOllamaApp();
  const [first, second, last, ...more] = await lines('/api/chat', QUESTION);
  expect(first).toMatchObject({ model: 'pocket', message: { role: 'assistant', content: 'Hel' }, done: false });
  expect(second).toMatchObject({ message: { content: 'lo.' }, done: false });
  expect(last).toMatchObject({
    message: { role: 'assistant', content: '' },
    done: true,
    done_reason: 'stop',
    prompt_eval_count: USAGE.promptTokens,
    eval_count: USAGE.completionTokens,
    total_duration: expect.any(Number),
  });
  expect(more).toEqual([]);
});

test('without a stream the answer is one object', async () => {
  const { ask } = createOllamaApp();
  const generated = await (await ask('/api/generate', { model: 'pocket', prompt: 'Hi', stream: false })).json();
  expect(generated).toMatchObject({ model: 'pocket', response: 'Hello.', done: true, done_reason: 'stop' });
});

test('options, format and thinking reach the engine', async () => {
  const options = {
    temperature: 0.5,
    top_p: 0.9,
    top_k: 7,
    seed: 3,
    num_predict: 9,
    stop: ['a', 'b'],
    repeat_penalty: 1.2,
    presence_penalty: 0.1,
    frequency_penalty: 0.2,
    num_ctx: 512,
    mirostat: 1,
  };
  const request = await received('/api/chat', { ...QUESTION, options, format: 'json', think: false, keep_alive: '5m' });
  expect(request).toMatchObject({
    temperature: 0.5,
    topP: 0.9,
    topK: 7,
    seed: 3,
    maxTokens: 9,
    stop: ['a', 'b'],
    repetitionPenalty: 1.2,
    presencePenalty: 0.1,
    frequencyPenalty: 0.2,
    responseFormat: { type: 'json_object' },
    thinking: false,
  });
});

test.for([
  [{ num_predict: -1 }, null],
  [{ num_predict: -2 }, null],
  [{ num_predict: 0 }, null],
  [{ num_predict: null }, null],
  [null, null],
] as const)('the options %j set no limit', async ([options]) => {
  expect((await received('/api/chat', { ...QUESTION, options })).maxTokens).toBeNull();
});

test('a schema constrains the answer, an empty format does not', async () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } };
  expect((await received('/api/chat', { ...QUESTION, format: schema })).responseFormat).toMatchObject({
    type: 'json_schema',
    schema,
  });
  expect((await received('/api/chat', { ...QUESTION, format: '' })).responseFormat).toEqual({ type: 'text' });
});

test('an image reaches a model with image support, with its type', async () => {
  const images = ['/9j/4AAQ', 'iVBORw0KGgoAAA', 'data:image/webp;base64,UklGRg'];
  const messages = [{ role: 'user', content: 'What is it?', images }];
  expect((await received('/api/chat', { model: 'org/seer', messages })).messages).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is it?' },
        { type: 'image', url: 'data:image/jpeg;base64,/9j/4AAQ' },
        { type: 'image', url: 'data:image/png;base64,iVBORw0KGgoAAA' },
        { type: 'image', url: 'data:image/webp;base64,UklGRg' },
      ],
    },
  ]);
});

const toolCall = (name: string) => ({ function: { name, arguments: { a: 1 } } });
const ADD = { type: 'function', function: { name: 'add', parameters: { type: 'object' } } };

test('a tool call has its arguments as an object, streamed and not', async () => {
  const { app, ask, lines } = createOllamaApp();
  app.service.play(
    completionOf(
      [
        { toolCalls: [{ index: 0, id: 'call_a', name: 'add', arguments: '{"a":' }] },
        { toolCalls: [{ index: 0, arguments: '1}' }] },
        { toolCalls: [{ index: 1, id: 'call_b', name: 'add', arguments: '' }] },
      ],
      'tool_calls',
    ),
  );
  const tool_calls = [
    { id: 'call_a', function: { index: 0, name: 'add', arguments: { a: 1 } } },
    { id: 'call_b', function: { index: 1, name: 'add', arguments: {} } },
  ];
  const body = { ...QUESTION, tools: [ADD] };
  const streamed = await lines('/api/chat', body);
  expect(streamed).toMatchObject([
    { message: { content: '', tool_calls }, done: false },
    { done: true, done_reason: 'stop' },
  ]);
  for (const line of streamed) expect(formErrors('ChatStreamEvent', line)).toEqual([]);
  const whole = await (await ask('/api/chat', { ...body, stream: false })).json();
  expect(whole).toMatchObject({ message: { content: '', tool_calls }, done: true });
});

test('a tool call that is cut by the token limit is left out', async () => {
  const { app, ask } = createOllamaApp();
  app.service.play(completionOf([{ toolCalls: [{ index: 0, id: 'a', name: 'add', arguments: '{"a":' }] }], 'length'));
  const answer = (await (await ask('/api/chat', { ...QUESTION, tools: [ADD], stream: false })).json()) as object;
  expect(answer).toMatchObject({ done_reason: 'length', message: { content: '' } });
  expect(answer).not.toHaveProperty('message.tool_calls');
});

test.for([
  ['by the order of the calls', [{}, {}], ['call_1_0', 'call_1_1']],
  ['by the names of their tools', [{ tool_name: 'now' }, { tool_name: 'add' }], ['call_1_1', 'call_1_0']],
  ['by ids', [{ tool_call_id: 'call_1_1' }, { tool_call_id: 'call_1_0' }], ['call_1_1', 'call_1_0']],
] as const)('tool results are assigned to their calls %s', async ([, results, ids]) => {
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', tool_calls: [toolCall('add'), toolCall('now')] },
    ...results.map((result) => ({ role: 'tool', content: '42', ...result })),
  ];
  const request = await received('/api/chat', { ...QUESTION, messages });
  expect(request.messages.slice(1)).toEqual([
    {
      role: 'assistant',
      content: '',
      toolCalls: [
        { id: 'call_1_0', name: 'add', arguments: '{"a":1}' },
        { id: 'call_1_1', name: 'now', arguments: '{"a":1}' },
      ],
    },
    ...ids.map((toolCallId) => ({ role: 'tool', content: '42', toolCallId })),
  ]);
});

test('thinking has a field of its own', async () => {
  const { app, ask, lines } = createOllamaApp();
  app.service.play(completionOf([{ reasoning: 'Hm.' }, { content: 'Yes.' }]));
  expect(await lines('/api/generate', { model: 'pocket', prompt: 'Hi' })).toMatchObject([
    { response: '', thinking: 'Hm.' },
    { response: 'Yes.' },
    { response: '', done: true },
  ]);
  expect(await (await ask('/api/chat', { ...QUESTION, stream: false })).json()).toMatchObject({
    message: { content: 'Yes.', thinking: 'Hm.' },
  });
});

test('a raw prompt is continued without a chat template, and without a limit', async () => {
  const { raw, messages, maxTokens } = await received('/api/generate', { model: 'pocket', prompt: 'Once', raw: true });
  expect({ raw, messages, maxTokens }).toEqual({
    raw: { prompts: ['Once'], suffix: null, echo: false },
    messages: [],
    maxTokens: 2 ** 31 - 1,
  });
});

test.for([
  ['/api/chat', { model: 'pocket' }, 'load'],
  ['/api/chat', { model: 'pocket', messages: [], keep_alive: 0 }, 'unload'],
  ['/api/generate', { model: 'pocket:latest' }, 'load'],
] as const)('%s with %j generates nothing', async ([path, body, done_reason]) => {
  const { app, lines } = createOllamaApp();
  expect(await lines(path, body)).toMatchObject([{ model: body.model, done: true, done_reason }]);
  expect(app.service.completions).toEqual([]);
});

test('an error after the start of a stream is its last line; without a stream it has its status', async () => {
  const { app, ask, lines } = createOllamaApp();
  const error = {
    status: 504,
    type: 'server_error',
    code: 'engine_timeout',
    param: null,
    message: 'Too slow.',
  } as const;
  app.service.play([{ type: 'prefill' }, { type: 'delta', choice: 0, content: 'Hel' }, { type: 'error', error }]);
  expect(await lines('/api/chat', QUESTION)).toMatchObject([{ message: { content: 'Hel' } }, { error: 'Too slow.' }]);
  const whole = await ask('/api/chat', { ...QUESTION, stream: false });
  expect([whole.status, await whole.json()]).toEqual([504, { error: 'Too slow.' }]);
});

test('a stream that breaks off does not end as if it were complete', async () => {
  const { app, ask } = createOllamaApp();
  app.service.play([{ type: 'prefill' }, { type: 'delta', choice: 0, content: 'Hel' }]);
  const response = await ask('/api/chat', QUESTION);
  app.service.completions.at(-1)!.vanish();
  expect(
    (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => Object.keys(JSON.parse(line) as object)),
  ).toEqual([['model', 'created_at', 'message', 'done'], ['error']]);
});

test('cancelling the answer cancels the completion', async () => {
  const { app, ask } = createOllamaApp();
  app.service.play([{ type: 'prefill' }, { type: 'delta', choice: 0, content: 'Hel' }]);
  const response = await ask('/api/chat', QUESTION);
  const reader = response.body!.getReader();
  await reader.read();
  app.service.completions.at(-1)!.emit({ type: 'delta', choice: 0, content: 'lo' });
  await reader.read();
  await reader.cancel();
  await expect.poll(() => app.service.completions.at(-1)!.cancelled).toBe(true);
});

test('the durations begin with the request, and loading ends with its last progress report', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const blocks = [
    ': loading 50 %',
    'data: {"choices":[{"delta":{"content":"Hi"}}]}',
    'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}',
  ];
  const fetch = createOllamaFetch(async () => {
    await Promise.resolve();
    vi.advanceTimersByTime(1000);
    const body = new ReadableStream<Uint8Array>(
      {
        pull(stream) {
          const block = blocks.shift();
          vi.advanceTimersByTime(100);
          if (block === undefined) stream.close();
          else stream.enqueue(Buffer.from(`${block}\n\n`));
        },
      },
      { highWaterMark: 0 },
    );
    return new Response(body);
  });
  const body = Buffer.from(JSON.stringify({ ...QUESTION, stream: false }));
  expect(await (await fetch({ path: '/api/chat', method: 'POST', body })).json()).toMatchObject({
    load_duration: 1.1e9,
    prompt_eval_duration: 0.1e9,
    eval_duration: 0.2e9,
    total_duration: 1.4e9,
  });
});

test('model names have a tag, as clients expect, and are found with and without it', async () => {
  const { ask, lines } = createOllamaApp();
  const { models } = (await (await ask('/api/tags')).json()) as { models: { name: string }[] };
  const names = models.map(({ name }) => name);
  expect(names).toEqual(['pocket:latest', 'org/seer:latest', 'pocket-embed:latest', 'tagged:latest']);
  for (const model of ['pocket', 'pocket:latest', 'tagged:latest']) {
    expect((await lines('/api/chat', { ...QUESTION, model })).at(-1)).toMatchObject({ model, done: true });
  }
});

test('a model reports its context window and capabilities', async () => {
  const { ask } = createOllamaApp();
  expect(await (await ask('/api/show', { name: 'org/seer' })).json()).toMatchObject({
    model_info: { 'general.architecture': 'tabserve', 'tabserve.context_length': 2048 },
    capabilities: ['completion', 'vision', 'tools'],
  });
  expect(await (await ask('/api/show', { model: 'pocket-embed' })).json()).toMatchObject({
    model_info: { 'tabserve.embedding_length': 2 },
    capabilities: ['embedding'],
  });
  expect((await ask('/api/show', { model: 'nothing' })).status).toBe(404);
});

const VECTORS: CompletionEvent[] = [
  { type: 'delta', choice: 0, embedding: Float32Array.of(0.5, 0.25) },
  { type: 'done', usage: { ...USAGE, promptTokens: 2 } },
];

test('texts get vectors; the older route takes one text', async () => {
  const { app, ask } = createOllamaApp();
  app.service.play(VECTORS);
  const embedded = await (await ask('/api/embed', { model: 'pocket-embed', input: ['a'] })).json();
  expect(embedded).toMatchObject({ model: 'pocket-embed', embeddings: [[0.5, 0.25]], prompt_eval_count: 2 });
  expect(formErrors('EmbedResponse', embedded)).toEqual([]);
  const older = await ask('/api/embeddings', { model: 'pocket-embed', prompt: 'a' });
  expect(await older.json()).toEqual({ embedding: [0.5, 0.25] });
  const empty = await ask('/api/embed', { model: 'pocket-embed', input: '' });
  expect(await empty.json()).toMatchObject({ embeddings: [] });
});

test('a text that is too long is truncated to the context window, unless truncate is false', async () => {
  const { app, ask } = createOllamaApp({ callEngine: (async () => ({ tokens: [1, 2, 3, 4], pieces: null })) as never });
  app.service.play(VECTORS);
  const input = 'a '.repeat(10_000);
  const refused = await ask('/api/embed', { model: 'pocket-embed', input, truncate: false });
  expect([refused.status, await refused.json()]).toEqual([400, { error: expect.stringContaining('context length') }]);
  expect((await ask('/api/embed', { model: 'pocket-embed', input })).status).toBe(200);
  expect(app.service.completions.at(-1)!.request.embed).toEqual({ inputs: [[1, 2, 3]], dimensions: null });
});

test('a text that is too long for a model whose tokens are not shown is refused because of its length', async () => {
  const hidden = new ApiError('unsupported_value', '`model`: its tokens are not shown.', { param: 'model' });
  const { ask } = createOllamaApp({ callEngine: (() => Promise.reject(hidden)) as never });
  const refused = await ask('/api/embed', { model: 'pocket-embed', input: 'a '.repeat(10_000) });
  expect([refused.status, await refused.json()]).toEqual([
    400,
    { error: expect.stringMatching(/maximum context length is 3 tokens.*Shorten the input.*split the text/) },
  ]);
});

test.for([
  ['no JSON', '/api/chat', '{', 400],
  ['no object', '/api/chat', '[]', 400],
  ['no body', '/api/chat', '', 400],
  ['no model', '/api/chat', '{}', 400],
  ['an option of another type', '/api/chat', { ...QUESTION, options: { temperature: 'hot' } }, 400],
  ['an option beyond its bounds', '/api/chat', { ...QUESTION, options: { temperature: 9 } }, 400],
  ['an unknown level of thinking', '/api/chat', { ...QUESTION, think: 'a lot' }, 400],
  ['an unknown role', '/api/chat', { ...QUESTION, messages: [{ role: 'robot', content: '' }] }, 400],
  [
    'an image for a model without image support',
    '/api/generate',
    { model: 'pocket', prompt: '', images: ['/9j/'] },
    400,
  ],
  ['a result without a call', '/api/chat', { ...QUESTION, messages: [{ role: 'tool', content: '1' }] }, 400],
  ['a template', '/api/generate', { model: 'pocket', prompt: 'a', template: '{{ .Prompt }}' }, 400],
  ['the context of an earlier answer', '/api/generate', { model: 'pocket', prompt: 'a', context: [1] }, 400],
  ['raw with images', '/api/generate', { model: 'org/seer', prompt: 'a', raw: true, images: ['/9j/'] }, 400],
  [
    'deep nesting',
    '/api/chat',
    `{"model":"pocket","messages":[{"role":"user","content":"a"}],"format":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
    400,
  ],
  ['an unknown model', '/api/chat', { ...QUESTION, model: 'llama3' }, 404],
  ['an unserved route', '/api/push', { model: 'pocket' }, 404],
  ['a path that leads outside the API', '/api/../v1/models', {}, 404],
] as const)('%s is refused with an explanation', async ([, path, body, status]) => {
  const response = await createOllamaApp().ask(path, body);
  expect([response.status, await response.json()]).toEqual([status, { error: expect.stringMatching(/.{10}\.$/) }]);
});

test("a body that exceeds the endpoint's limit is a 413", async () => {
  const { ask } = createOllamaApp();
  expect((await ask('/api/chat', ' '.repeat(20 * 1024 * 1024 + 1))).status).toBe(413);
});

test('a request without a key gets the key `local`; one with a key keeps it', async () => {
  const { ask } = createOllamaApp();
  expect((await ask('/api/tags')).status).toBe(200);
  const refused = await ask('/api/tags', undefined, { headers: { Authorization: 'Bearer wrong' } });
  expect([refused.status, await refused.json()]).toEqual([401, { error: expect.any(String) }]);
  const narrow = await ask('/api/tags', undefined, { headers: { Authorization: 'Bearer narrow' } });
  expect(await narrow.json()).toMatchObject({ models: [{ name: 'org/seer:latest' }] });
});

test('the root path says that a server runs, and other methods are refused with the supported ones', async () => {
  const { ask } = createOllamaApp();
  expect(await (await ask('/')).text()).toBe('Ollama is running');
  const refused = await ask('/api/chat');
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  const preflight = await ask('/api/chat', undefined, { method: 'OPTIONS' });
  expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([204, 'POST, OPTIONS']);
});
