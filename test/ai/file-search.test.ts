import { createOpenAI } from '@ai-sdk/openai';
import { generateText, streamText, type ModelMessage, type ToolSet } from 'ai';
import * as ai6 from 'ai';
import * as ai7 from 'ai7';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fileSearch } from '../../src/ai/index.ts';
import { ORIGIN } from '../service-worker/support/test-app.ts';
import { answerIn } from '../service-worker/support/scripted-service.ts';
import { DocumentEndpoint } from '../support/fakes/document-endpoint.ts';
import { MemoryAnswers } from '../support/fakes/memory-answers.ts';

const TEXTS = { 'whales.txt': 'Whales live in the sea and eat krill.', 'bread.txt': 'Bread is baked from flour.' };
const QUESTION = 'What do whales eat?';

let endpoint: DocumentEndpoint;
let answers: MemoryAnswers;
let store: string;

beforeEach(async () => {
  vi.stubGlobal('location', new URL(ORIGIN));
  answers = new MemoryAnswers();
  endpoint = new DocumentEndpoint({ answers });
  ({ store } = await endpoint.filled(TEXTS));
});

afterEach(() => {
  vi.doUnmock('ai');
  vi.doUnmock('@ai-sdk/openai-compatible');
  vi.unstubAllGlobals();
});

const withKey = (key: string): typeof fetch => {
  return (input, init) => {
    const request = new Request(input instanceof Request ? input : new URL(input, ORIGIN), init);
    request.headers.set('authorization', `Bearer ${key}`);
    return endpoint.app.fetch(request);
  };
};

/** OpenAI's own provider, whose tool the endpoint executes. */
const openai = () => createOpenAI({ apiKey: 'local', baseURL: `${ORIGIN}/v1`, fetch: withKey('local') });

const request = () => {
  const { responses, tools } = openai();
  return {
    model: responses('pocket'),
    tools: { file_search: tools.fileSearch({ vectorStoreIds: [store], maxNumResults: 2 }) } as unknown as ToolSet,
    providerOptions: { openai: { include: ['file_search_call.results' as const] } },
  };
};

const PASSAGE = { filename: 'whales.txt', text: TEXTS['whales.txt'], attributes: {} };

test("OpenAI's file search of `ai` is executed by the endpoint, with results and sources", async () => {
  endpoint.app.service.play(answerIn('They eat krill [1].'));
  const { text, sources, content } = await generateText({ ...request(), prompt: QUESTION });
  expect(text).toBe('They eat krill [1].');
  expect(sources).toMatchObject([{ type: 'source', sourceType: 'document', title: 'whales.txt' }]);
  expect(content.find(({ type }) => type === 'tool-result')).toMatchObject({
    toolName: 'file_search',
    output: { queries: [QUESTION], results: [PASSAGE] },
  });
});

test('its stream has the results and sources, too', async () => {
  endpoint.app.service.play(answerIn('They eat krill [', '1].'));
  const { fullStream } = streamText({ ...request(), prompt: QUESTION });
  const parts = [];
  for await (const part of fullStream) parts.push(part);
  expect(parts.filter(({ type }) => type === 'error')).toEqual([]);
  expect(parts.find(({ type }) => type === 'source')).toMatchObject({ title: 'whales.txt' });
  expect(parts.find(({ type }) => type === 'tool-result')).toMatchObject({ output: { results: [PASSAGE] } });
});

test('a conversation goes on after an answer with a search', async () => {
  const answerId = `resp_${'a'.repeat(32)}`;
  const log = [{ type: 'begun' as const, created: 1, answerId }, ...answerIn('Krill [1].')];
  endpoint.app.service.play(log);
  const messages: ModelMessage[] = [{ role: 'user', content: QUESTION }];
  const { response } = await generateText({ ...request(), messages });
  // The engine stores what it has answered.
  await answers.addLog(answerId, log);
  messages.push(...response.messages, { role: 'user', content: 'From which flour is bread baked?' });
  endpoint.app.service.play(answerIn('Flour [1].'));
  const { text, sources } = await generateText({ ...request(), messages });
  expect([text, sources]).toMatchObject(['Flour [1].', [{ title: 'bread.txt' }]]);
});

const tabserve = { ready: Promise.resolve(), fetch: withKey('local'), basePath: '/v1' };

test.each([
  ['6', ai6, 'ai', '@ai-sdk/openai-compatible'],
  // Their types differ in parts that this test does not use.
  ['7', ai7 as unknown as typeof ai6, 'ai7', 'ai-sdk-openai-compatible3'],
])('with `ai` %s a model that calls the tool of `tabserve/ai` gets the passages', async (_, ai, name, provider) => {
  vi.resetModules();
  vi.doMock('ai', () => vi.importActual(name));
  vi.doMock('@ai-sdk/openai-compatible', () => vi.importActual(provider));
  const { createTabserve, fileSearch } = await import('../../src/ai/index.ts');
  endpoint.app.service.play([
    {
      type: 'delta',
      choice: 0,
      toolCalls: [{ index: 0, id: 'call_1', name: 'fileSearch', arguments: JSON.stringify({ query: QUESTION }) }],
    },
    { type: 'finish', choice: 0, reason: 'tool_calls' },
    { type: 'done', usage: { promptTokens: 1, completionTokens: 1, cachedTokens: 0, reasoningTokens: 0 } },
  ]);
  const { steps } = await ai.generateText({
    model: createTabserve(tabserve)('pocket'),
    prompt: QUESTION,
    tools: { fileSearch: fileSearch(tabserve, { vectorStoreIds: [store], maxNumResults: 1 }) },
    stopWhen: ai.stepCountIs(1),
  });
  expect(steps[0]!.toolResults).toMatchObject([{ toolName: 'fileSearch', output: [PASSAGE] }]);
});

test('the tool searches several stores and keeps the best passages', async () => {
  const { store: other } = await endpoint.filled({ 'fish.txt': 'Whales eat krill, fish eat krill.' });
  const { execute } = fileSearch(tabserve, { vectorStoreIds: [store, other], maxNumResults: 2 });
  const found = await execute!({ query: 'whales krill' }, { toolCallId: 'a', messages: [] });
  expect(found).toMatchObject([{ filename: 'fish.txt' }, { filename: 'whales.txt' }]);
});

test('a passage that several stores have is given to the model once', async () => {
  const { store: other } = await endpoint.filled(TEXTS);
  const { execute } = fileSearch(tabserve, { vectorStoreIds: [store, other, store], maxNumResults: 3 });
  const found = await execute!({ query: 'whales bread' }, { toolCallId: 'a', messages: [] });
  expect(found).toMatchObject([{ text: expect.any(String) }, { text: expect.any(String) }]);
  expect(new Set(Object.values(TEXTS))).toEqual(
    new Set((found as readonly { text: string }[]).map(({ text }) => text)),
  );
});

test('a search that is stopped does not wait until the endpoint is ready', async () => {
  const stop = new AbortController();
  const starting = { ...tabserve, ready: new Promise<void>(() => {}) };
  const { execute } = fileSearch(starting, { vectorStoreIds: [store] });
  const call = async () => execute!({ query: 'krill' }, { toolCallId: 'a', messages: [], abortSignal: stop.signal });
  const found = call();
  stop.abort();
  await expect(found).rejects.toMatchObject({ name: 'AbortError' });
});

test('an error of the endpoint is that of the tool', async () => {
  const { execute } = fileSearch(tabserve, { vectorStoreIds: ['vs_none'] });
  const call = async () => execute!({ query: 'krill' }, { toolCallId: 'a', messages: [] });
  await expect(call()).rejects.toThrow('vs_none');
});
