import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBrowserModelEngine } from '../../../src/engine-worker/browser-model/create-browser-model-engine.ts';
import type { PostToPage } from '../../../src/engine-worker/ports/run-in-page.ts';
import { say } from '../../../src/engine-worker/strings/say.ts';
import type { GenerationEvent } from '../../../src/shared/engine/completion-event.ts';
import type { CompletionRequest } from '../../../src/shared/engine/completion-request.ts';
import type { Engine } from '../../../src/shared/engine/engine.ts';
import { builtInModels } from '../../../src/shared/models/built-in-models.ts';
import { createBrowserLanguageModel, type BrowserCall } from '../../support/fakes/browser-language-model.ts';
import { completionRequest } from '../../support/fakes/completion-request.ts';
import { MemoryLocks } from '../../support/fakes/web-locks.ts';

const ENTRY = {
  ...builtInModels('https://site.test/')[0]!,
  id: 'browser',
  format: 'browser',
  contextWindow: 4096,
} as const;

const windows: number[] = [];
const calls: BrowserCall[] = [];

beforeEach(() => {
  windows.length = 0;
  calls.length = 0;
  vi.stubGlobal('navigator', { locks: new MemoryLocks() });
  vi.stubGlobal('document', new EventTarget());
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** Starts an engine and a page whose browser has a scripted model. */
async function start(browser: Parameters<typeof createBrowserLanguageModel>[0] = {}) {
  const { LanguageModel, state } = createBrowserLanguageModel(browser, calls);
  vi.stubGlobal('LanguageModel', LanguageModel);
  const { serveBrowserModel } = await import('../../../src/page/engine/serve-browser-model.ts');
  const life = new AbortController();
  const page: PostToPage = (message) => void serveBrowserModel(message, life.signal);
  const engine = createBrowserModelEngine({ pages: async () => [page], onWindow: (tokens) => windows.push(tokens) });
  return { engine, state, life };
}

const load = (engine: Engine, report = () => {}) => engine.load(ENTRY, report, new AbortController().signal);

async function generate(
  engine: Engine,
  request: Partial<CompletionRequest> = {},
  signal = new AbortController().signal,
): Promise<readonly GenerationEvent[]> {
  const events: GenerationEvent[] = [];
  for await (const event of engine.generate({ ...completionRequest('one two three', 'browser'), ...request }, signal))
    events.push(event);
  return events;
}

test("an answer of the browser's own model comes in pieces, with its usage", async () => {
  const { engine, state } = await start();
  const report = vi.fn<() => void>();
  await load(engine, report);
  expect(report).toHaveBeenCalledWith({ progress: 0.5, ...say('openingBrowserModel', 0.5) });
  expect([engine.loadedModel, engine.place, windows]).toEqual(['browser', 'browser', [60]]);
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'Hello!', toolCalls: [] },
    { role: 'user', content: 'one two three' },
  ] as const;
  expect(await generate(engine, { messages })).toEqual([
    { type: 'prefill' },
    ...['one ', 'two ', 'three '].map((content) => ({ type: 'delta', choice: 0, content })),
    { type: 'finish', choice: 0, reason: 'stop' },
    { type: 'done', usage: { promptTokens: 7, completionTokens: 3, cachedTokens: 0, reasoningTokens: 0 } },
  ]);
  expect(calls).toEqual([
    {
      initialPrompts: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'Hello!' },
      ],
      prompt: [{ role: 'user', content: 'one two three' }],
      constraint: undefined,
    },
  ]);
  // The session that keeps the model in memory remains.
  expect(state.sessions).toBe(1);
});

const REFUSED: Readonly<Record<string, Partial<CompletionRequest>>> = {
  temperature: { temperature: 1 },
  top_p: { topP: 0.5 },
  top_k: { topK: 3 },
  max_tokens: { maxTokens: 59 },
  stop: { stop: ['.'] },
  seed: { seed: 1 },
  presence_penalty: { presencePenalty: 1 },
  frequency_penalty: { frequencyPenalty: 1 },
  repetition_penalty: { repetitionPenalty: 1.1 },
  n: { choices: 2 },
  logprobs: { logprobs: true },
  logit_bias: { logitBias: { 1: 1 } },
  tools: { tools: [{ name: 'a', description: null, parameters: null }] },
  grammar: { responseFormat: { type: 'grammar', grammar: 'root ::= "a"', param: 'grammar' } },
  prompt: { raw: { prompts: ['a'], suffix: null, echo: false } },
};

test.each(Object.entries(REFUSED))(
  "`%s`, which the browser's own model does not support, is refused",
  async (param, fields) => {
    const { engine } = await start();
    await load(engine);
    await expect(generate(engine, fields)).rejects.toMatchObject({
      code: 'unsupported_parameter',
      param,
      message: expect.stringContaining(`\`${param}\``),
    });
    expect(calls).toEqual([]);
  },
);

test('values that equal the defaults are accepted', async () => {
  const { engine } = await start();
  await load(engine);
  const defaults = { topP: 1, maxTokens: 60, presencePenalty: 0, frequencyPenalty: 0, repetitionPenalty: 1 } as const;
  const tools = { tools: [{ name: 'a', description: null, parameters: null }], toolChoice: 'none' } as const;
  expect(await generate(engine, { ...defaults, ...tools })).toHaveLength(6);
});

const SCHEMA = { type: 'object', properties: { a: { type: 'number' } } } as const;

test.each([
  ['a schema', { type: 'json_schema', schema: SCHEMA }, '{"a":1}', SCHEMA],
  ['any object', { type: 'json_object' }, '{}', { type: 'object' }],
  ['a pattern', { type: 'regex', pattern: 'a|b', param: 'guided_regex' }, 'b', /^(?:a|b)$/u],
  [
    'a pattern that is written without the flag u',
    { type: 'regex', pattern: String.raw`a\@b`, param: 'p' },
    'a@b',
    /^(?:a@b)$/u,
  ],
  ['choices', { type: 'choice', choices: ['a.', 'b'] }, 'a.', /^(?:a\.|b)$/u],
] as const)('%s becomes a constraint of the browser', async (_, responseFormat, answer, constraint) => {
  const { engine } = await start({ answer });
  await load(engine);
  expect(await generate(engine, { responseFormat })).toContainEqual({ type: 'delta', choice: 0, content: answer });
  expect(calls[0]!.constraint).toEqual(constraint);
});

test('an answer that does not match its schema is an error', async () => {
  const { engine } = await start({ answer: '{"a":"text"}' });
  await load(engine);
  await expect(generate(engine, { responseFormat: { type: 'json_schema', schema: SCHEMA } })).rejects.toMatchObject({
    code: 'internal_error',
    message: expect.stringContaining("browser's own model"),
  });
});

test.each([
  ['prompt', [{ role: 'user', content: 'a '.repeat(80).trim() }], 80],
  [
    'conversation',
    [
      { role: 'user', content: 'a '.repeat(70).trim() },
      { role: 'user', content: 'b' },
    ],
    70,
  ],
] as const)('a %s beyond the context window is refused with both numbers', async (_, messages, tokens) => {
  const { engine } = await start();
  await load(engine);
  await expect(generate(engine, { messages })).rejects.toMatchObject({
    code: 'context_length_exceeded',
    message: expect.stringMatching(new RegExp(`length is 60 tokens.*${tokens} tokens`)),
  });
});

test('an abort ends the answer, and the next one succeeds', async () => {
  const { engine, state } = await start();
  await load(engine);
  const abort = new AbortController();
  const events: GenerationEvent[] = [];
  const read = async () => {
    for await (const event of engine.generate(completionRequest('endless', 'browser'), abort.signal)) {
      events.push(event);
      if (events.length === 4) abort.abort(new Error('enough'));
    }
  };
  await expect(read()).rejects.toThrow('enough');
  await vi.waitFor(() => expect(state.sessions).toBe(1));
  expect(await generate(engine)).toHaveLength(6);
});

test('an answer that repeats itself endlessly is ended with the reason and its usage, and its session is freed', async () => {
  const { engine, state } = await start();
  await load(engine);
  const events = await generate(engine, { messages: [{ role: 'user', content: 'endless' }] });
  expect(events.slice(-2)).toEqual([
    { type: 'finish', choice: 0, reason: 'length', isStuck: true },
    { type: 'done', usage: { promptTokens: 1, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 } },
  ]);
  await vi.waitFor(() => expect(state.sessions).toBe(1));
});

test('a model that the browser cannot open says why', async () => {
  const { engine } = await start({ availability: 'downloadable' });
  await expect(load(engine)).rejects.toMatchObject({
    code: 'model_load_failed',
    message: expect.stringContaining('A click is missing.'),
  });
  expect(engine.loadedModel).toBeNull();
});

test('when its page is closed, the model is lost, and unloading frees it', async () => {
  const { engine, state, life } = await start();
  await load(engine);
  const answer = generate(engine, { messages: [{ role: 'user', content: 'endless' }] });
  setTimeout(() => life.abort(), 30);
  await expect(answer).rejects.toMatchObject({ code: 'engine_unavailable' });
  expect(engine.loadedModel).toBeNull();
  await vi.waitFor(() => expect(state.sessions).toBe(0));
});

test('unloading frees the model', async () => {
  const { engine, state } = await start();
  await load(engine);
  await engine.unload();
  await vi.waitFor(() => expect(state.sessions).toBe(0));
  expect(engine.loadedModel).toBeNull();
});

test("a polyfill of the browser's model is not used", async () => {
  const { LanguageModel } = createBrowserLanguageModel();
  vi.stubGlobal(
    'LanguageModel',
    Object.assign(function () {}, { ...LanguageModel }),
  );
  const { serveBrowserModel } = await import('../../../src/page/engine/serve-browser-model.ts');
  const page: PostToPage = (message) => void serveBrowserModel(message, new AbortController().signal);
  const engine = createBrowserModelEngine({ pages: async () => [page], onWindow: () => {} });
  await expect(load(engine)).rejects.toMatchObject({ code: 'model_load_failed' });
});
