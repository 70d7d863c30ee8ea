import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { GpuCheckRecords } from '../../../src/engine-worker/llama-cpp/check-gpu-once.ts';
import { matchesGrammar } from '../../../src/engine-worker/grammar/expressions/matches-grammar.ts';
import {
  DEFAULT_GENERATION_TIMEOUTS,
  withGenerationTimeouts,
} from '../../../src/engine-worker/completions/generation-timeouts.ts';
import { createLlamaCppEngine } from '../../../src/engine-worker/llama-cpp/create-llama-cpp-engine.ts';
import type { WllamaModule } from '../../../src/shared/models/create-wllama.ts';
import type { GenerationEvent } from '../../../src/shared/engine/completion-event.ts';
import type { CompletionRequest } from '../../../src/shared/engine/completion-request.ts';
import type { Engine } from '../../../src/shared/engine/engine.ts';
import type { ModelEntry } from '../../../src/shared/models/model-entry.ts';
import { readSiteModels } from '../../../src/shared/models/site-models.ts';
import { toolCallText } from '../../../src/engine-worker/tools/tool-syntax.ts';
import { readGbnf } from '../../schema-proof/read-gbnf.ts';
import { fakePageWorker, type FakePageWorker } from '../../support/fakes/page-worker.ts';
import { completionRequest } from '../../support/fakes/completion-request.ts';
import { memoryGpuChecks } from '../../support/fakes/memory-gpu-checks.ts';
import { ggufFile } from '../../support/samples/gguf-file.ts';
import { BareWllama } from '../../support/fakes/bare-wllama.ts';
import captured from './chunks.json' with { type: 'json' };

const SITE = 'https://site.test/';
const MODEL = readSiteModels(
  { models: [{ id: 'small', gguf: 'small.gguf', contextWindow: 2048 }], builtInModels: [] },
  SITE,
).entries[0]!;

/** A text token, two control tokens, and others of the type "user-defined", as Gemma has them. */
const VOCABULARY = ['a', '<|im_start|>', '<|im_end|>', '<tool_call>', '\n', '<strong>'];
const GGUF = ggufFile({ 'tokenizer.ggml.tokens': VOCABULARY, 'tokenizer.ggml.token_type': [1, 3, 3, 4, 4, 4] });

/** The calls that wllama received. */
let asked: Record<string, unknown>[];
let loaded: Record<string, unknown>[];
let answer: (options: { readonly abortSignal: AbortSignal }) => AsyncIterable<unknown>;
let load: () => Promise<void>;
let chatTemplate: string | null;
/** The model's continuation of the numbers in the prompt that checks whether it works. */
let counted: string;
/** How often that prompt was sent. */
let checks: number;
let gpuChecks: GpuCheckRecords;
let workers: FakePageWorker[];
/** The scripts of these workers. */
let scripts: string[];
/** What wllama was told about its program for 32-bit memories. */
let compat: unknown;

class FakeWllama extends BareWllama {
  override setCompat(files: unknown): void {
    compat = files;
  }
  override isTokenEOG(token: number): boolean {
    return token === VOCABULARY.indexOf('<|im_end|>');
  }
  override getChatTemplate(): string | null {
    return chatTemplate;
  }
  override async loadModel(_: unknown, parameters: Record<string, unknown>): Promise<void> {
    loaded.push(parameters);
    await load();
  }
  async createChatCompletion(options: { readonly abortSignal: AbortSignal }): Promise<AsyncIterable<unknown>> {
    asked.push({ kind: 'chat', ...options });
    return answer(options);
  }
  async createCompletion(options: { readonly abortSignal: AbortSignal; readonly stream?: boolean }): Promise<unknown> {
    if (!options.stream) {
      checks++;
      return { choices: [{ text: counted }] };
    }
    asked.push({ kind: 'text', ...options });
    return answer(options);
  }
}

async function* replay(chunks: readonly unknown[]): AsyncGenerator {
  yield* chunks;
}

/** Yields some chunks, waits for the abort, then ends as wllama's stream does. */
async function* untilAborted({ abortSignal }: { readonly abortSignal: AbortSignal }): AsyncGenerator {
  yield* captured.chat.slice(0, 5);
  if (!abortSignal.aborted) await new Promise((resolve) => abortSignal.addEventListener('abort', resolve));
  throw new Error('Operation aborted');
}

beforeEach(() => {
  [asked, loaded, workers, scripts] = [[], [], [], []];
  load = async () => {};
  chatTemplate = '';
  counted = ' 13, 14';
  checks = 0;
  gpuChecks = memoryGpuChecks();
  answer = () => replay(captured.chat);
});

afterEach(() => vi.unstubAllGlobals());

function start({
  isolated = true,
  standstill = 60_000,
  gpu = null as string | null,
  file = GGUF,
  isCompat = false,
} = {}) {
  vi.stubGlobal('Worker', undefined);
  vi.stubGlobal('navigator', { userAgent: 'Chrome/156' });
  return createLlamaCppEngine({
    folder: () => `${SITE}llama-cpp/`,
    isCompat,
    openFiles: async () => [new Blob([file])],
    keepFiles: async () => {},
    gpuChecks,
    importWllama: async () => ({ Wllama: FakeWllama }) as unknown as WllamaModule,
    standstill,
    startWorker: async (script) => {
      scripts.push(script);
      const worker = fakePageWorker({ isolated, gpu });
      workers.push(worker);
      return worker;
    },
  });
}

async function loadedEngine(options = {}, entry: Partial<ModelEntry> = {}) {
  const engine = start(options);
  await engine.load({ ...MODEL, ...entry }, () => {}, new AbortController().signal);
  return engine;
}

async function generate(request: Partial<CompletionRequest>, signal = new AbortController().signal) {
  const engine = await loadedEngine();
  const events: GenerationEvent[] = [];
  for await (const event of engine.generate({ ...completionRequest('Hello', 'small'), ...request }, signal)) {
    events.push(event);
  }
  return events;
}

const iterate = (engine: Engine, signal: AbortSignal) =>
  engine.generate(completionRequest('Hello', 'small'), signal)[Symbol.asyncIterator]();

const textOf = (events: readonly GenerationEvent[]) =>
  events.map((event) => (event.type === 'delta' ? (event.content ?? '') : '')).join('');

test.each([
  ['64-bit', false, '', null],
  ['32-bit', true, 'compat/', expect.objectContaining({ wasm: `${SITE}llama-cpp/compat/wllama.wasm` })],
])('a browser with %s memories gets the program for them', async (_, isCompat, subfolder, told) => {
  await loadedEngine({ isCompat });
  const program = `${SITE}llama-cpp/${subfolder}`;
  expect(scripts).toEqual([`${program}worker.js`]);
  expect(compat).toEqual(told);
  await vi.waitFor(() => expect(workers[0]!.sent).not.toEqual([]));
  expect(workers[0]!.sent[0]).toEqual({
    runOptions: {
      pathConfig: { 'wllama.wasm': `${program}wllama.wasm` },
      nbThread: 4,
      compat: isCompat,
      threadScript: `${program}thread.js`,
      useGpu: false,
    },
  });
});

test('a chat becomes events with text, finish reason and usage', async () => {
  const events = await generate({});
  expect(events[0]).toEqual({ type: 'prefill' });
  expect(textOf(events)).toBe(captured.chatText);
  expect(events.slice(-2)).toEqual([
    { type: 'finish', choice: 0, reason: 'length' },
    { type: 'done', usage: { promptTokens: 33, completionTokens: 3, cachedTokens: 32, reasoningTokens: 0 } },
  ]);
});

test('each token has its probability, and the requested number of alternatives', async () => {
  const events = await generate({ logprobs: true, topLogprobs: 1 });
  const tokens = events.flatMap((event) => (event.type === 'delta' ? (event.logprobs ?? []) : []));
  expect(tokens.map(({ token }) => token).join('')).toBe(captured.chatText);
  for (const { logprob, bytes, topLogprobs } of tokens) {
    expect(logprob).toBeLessThanOrEqual(0);
    expect(bytes.length).toBeGreaterThan(0);
    expect(topLogprobs).toHaveLength(1);
  }
});

test('llama.cpp gets one alternative even if the request wants none, because it reports no token otherwise', async () => {
  const events = await generate({ logprobs: true, topLogprobs: 0 });
  expect(asked[0]).toMatchObject({ n_probs: 1 });
  const tokens = events.flatMap((event) => (event.type === 'delta' ? (event.logprobs ?? []) : []));
  expect(tokens.map(({ topLogprobs }) => topLogprobs.length)).toEqual(tokens.map(() => 0));
});

test('once requests of two scopes have used a model, none of them reuses its KV cache', async () => {
  const engine = await loadedEngine();
  for (const cacheScope of ['one', 'one', 'other', 'other', 'one']) {
    const request = { ...completionRequest('Hello', 'small'), cacheScope };
    for await (const event of engine.generate(request, new AbortController().signal)) expect(event).toBeDefined();
  }
  expect(asked.map((options) => (options as { cache_prompt?: boolean }).cache_prompt)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

test('a text prompt is continued without a template, and echoed if requested', async () => {
  answer = () => replay(captured.raw);
  const events = await generate({ messages: [], raw: { prompts: ['Once upon'], suffix: null, echo: true } });
  expect(asked[0]).toMatchObject({ kind: 'text', prompt: 'Once upon' });
  expect(textOf(events)).toBe(`Once upon${captured.rawText}`);
});

test('a text completion of no tokens is its prompt, although llama.cpp writes a token', async () => {
  answer = () => replay(captured.raw);
  const events = await generate({
    maxTokens: 0,
    messages: [],
    raw: { prompts: ['Once upon'], suffix: null, echo: true },
  });
  expect(textOf(events)).toBe('Once upon');
  expect(events.slice(-2)).toMatchObject([{ reason: 'length' }, { usage: { completionTokens: 0 } }]);
});

const ECHO = { messages: [], raw: { prompts: ['Once upon'], suffix: null, echo: true } } as const;

test('a text prompt that llama.cpp refuses is not echoed, so that the refusal still has a status', async () => {
  // oxlint-disable-next-line require-yield -- it fails before the first chunk
  answer = async function* () {
    throw new Error('the request exceeds the available context size (2048 tokens), try increasing it');
  };
  const engine = await loadedEngine();
  const told: string[] = [];
  const tell = async () => {
    const request = { ...completionRequest('', 'small'), ...ECHO };
    for await (const { type } of engine.generate(request, new AbortController().signal)) told.push(type);
  };
  await expect(tell()).rejects.toMatchObject({ code: 'context_length_exceeded' });
  expect(told).toEqual(['prefill']);
});

test('a text prompt that llama.cpp does not continue is echoed all the same', async () => {
  answer = () => replay([{ choices: [{ text: '', finish_reason: 'stop' }] }]);
  expect(textOf(await generate(ECHO))).toBe('Once upon');
});

test('each choice has its own index and seed; the prompt counts once', async () => {
  const events = await generate({ choices: 2, seed: 5 });
  expect(asked.map(({ seed }) => seed)).toEqual([5, 6]);
  expect(events.flatMap((event) => (event.type === 'finish' ? [event.choice] : []))).toEqual([0, 1]);
  expect(events.at(-1)).toMatchObject({ usage: { promptTokens: 33, completionTokens: 6 } });
});

test.each([-1, -3, 2 ** 53, 2 ** 60 + 4096, -(2 ** 63)])(
  'each choice has a seed of its own beside %d',
  async (seed) => {
    await generate({ choices: 4, seed });
    await generate({ choices: 1, seed });
    const seeds = asked.map((each) => each['seed'] as number);
    expect(new Set(seeds.slice(0, 4)).size).toBe(4);
    expect(seeds[4]).toBe(seeds[0]);
    expect(seeds.every((each) => Number.isInteger(each) && each >= 0 && each < 2 ** 32 - 1)).toBe(true);
  },
);

test.each<[stopTokens: readonly number[], expected: object]>([
  [[], { ignore_eos: true }],
  [[28], { ignore_eos: true }],
  [[28, VOCABULARY.indexOf('<|im_end|>')], { ignore_eos: undefined }],
])('with the stop tokens %j, an answer that ignores its end ends only at these', async (stopTokens, expected) => {
  await generate({ ignoreEnd: true, stopTokens });
  const raw = { prompts: ['Hello'], suffix: null, echo: false };
  await generate({ ignoreEnd: true, stopTokens, messages: [], raw });
  expect(asked).toHaveLength(2);
  for (const { ignore_eos } of asked) expect({ ignore_eos }).toEqual(expected);
});

const CALL_AND_RESULT: CompletionRequest['messages'] = [
  { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'a', arguments: '{}' }] },
  { role: 'tool', content: '7', toolCallId: 'c1' },
];

const translated: Record<string, readonly [Partial<CompletionRequest>, Record<string, unknown>]> = {
  'the defaults of the model': [{}, { temperature: 0.8, top_p: 0.95, max_tokens: -1, stop: [] }],
  'temperature and top_p': [
    { temperature: 0, topP: 0.5 },
    { temperature: 0, top_p: 0.5 },
  ],
  'a top_p of 0 as greedy sampling': [{ temperature: 1, topP: 0 }, { temperature: 0 }],
  'no stop sequences, because it would lose text that may begin one where the limit ends an answer': [
    { stop: ['\n', 'END'] },
    { stop: [] },
  ],
  'no stop sequences of a text completion': [
    { stop: ['END'], messages: [], raw: { prompts: ['a'], suffix: null, echo: false } },
    { stop: [] },
  ],
  'a limit of tokens': [{ maxTokens: 7 }, { max_tokens: 7 }],
  'no limit of tokens': [{ maxTokens: null }, { max_tokens: -1 }],
  'a limit beyond 32 bits as the context window': [{ maxTokens: 2 ** 63 }, { max_tokens: 2048 }],
  'a number of likeliest tokens beyond 32 bits as a large one': [{ topK: 2 ** 32 + 1 }, { top_k: 2 ** 31 - 1 }],
  'a seed beyond 32 bits': [{ seed: 2 ** 40 + 3 }, { seed: 3 }],
  'a negative seed': [{ seed: -2 }, { seed: 2 ** 32 - 2 }],
  penalties: [
    { presencePenalty: 1, frequencyPenalty: 0.5, repetitionPenalty: 1.2 },
    { presence_penalty: 1, frequency_penalty: 0.5, repeat_penalty: 1.2, repeat_last_n: 2048 },
  ],
  'the end of a document in place of an empty prompt, which would have no token': [
    { messages: [], raw: { prompts: [''], suffix: null, echo: true } },
    { prompt: '<|im_end|>' },
  ],
  'a bias that gives the end of a turn what the penalties take from it, because they count the prompt': [
    {
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b', toolCalls: [] },
        { role: 'user', content: 'c' },
      ],
      presencePenalty: 1,
      frequencyPenalty: 0.5,
      logitBias: { '2': -3 },
    },
    { logit_bias: expect.arrayContaining([[VOCABULARY.indexOf('<|im_end|>'), -0.5]]) },
  ],
  'a bias that gives the mark of a call what they take, because the instructions and earlier calls have it': [
    {
      tools: [{ name: 'a', description: null, parameters: null }],
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: '', toolCalls: [{ id: 'x', name: 'a', arguments: '{}' }] },
        { role: 'tool', toolCallId: 'x', content: '<strong>b' },
      ],
      presencePenalty: 0.25,
      frequencyPenalty: 0.5,
    },
    {
      logit_bias: [
        [VOCABULARY.indexOf('<|im_end|>'), 0.25 + 4 * 0.5],
        [VOCABULARY.indexOf('<tool_call>'), 0.25 + 3 * 0.5],
        [VOCABULARY.indexOf('<|im_start|>'), false],
      ],
    },
  ],
  'the same bias for a conversation that the client has rendered': [
    {
      messages: [],
      raw: { prompts: ['<|im_start|>user\na<|im_end|>\n<|im_start|>assistant\n'], suffix: null, echo: false },
      presencePenalty: 0.25,
      frequencyPenalty: 0.5,
    },
    { logit_bias: [[VOCABULARY.indexOf('<|im_end|>'), 0.75]] },
  ],
  'no bias for the mark of a call that it must not write': [
    { messages: [{ role: 'user', content: '<tool_call>' }], frequencyPenalty: 0.5 },
    { logit_bias: expect.arrayContaining([[VOCABULARY.indexOf('<tool_call>'), false]]) },
  ],
  'token biases, except those of the request for control tokens': [
    { logitBias: { '28': 100, '1': 100 } },
    {
      logit_bias: [
        [1, false],
        [28, 100],
        [3, false],
      ],
    },
  ],
  'a ban on control tokens and call markers': [
    {},
    {
      logit_bias: [
        [1, false],
        [3, false],
      ],
    },
  ],
  'call markers as allowed with tools': [
    { tools: [{ name: 'a', description: null, parameters: null }] },
    { logit_bias: [[1, false]] },
  ],
  'any JSON object': [{ responseFormat: { type: 'json_object' } }, { grammar: expect.stringMatching(/^root ::= /m) }],
  'a schema': [
    { responseFormat: { type: 'json_schema', schema: { enum: ['a', 'é'] } } },
    { grammar: 'root ::= "\\x22" ("\\xe9" | "a") "\\x22"\n' },
  ],
  'a regular expression': [
    { responseFormat: { type: 'regex', pattern: '[0-9]{3}', param: 'guided_regex' } },
    { grammar: expect.stringContaining('[0-9]') },
  ],
  'the rest of the grammar after a beginning': [
    {
      messages: [],
      raw: { prompts: ['Is it? Y'], suffix: null, echo: false, constraintPrefix: 'Y' },
      responseFormat: { type: 'choice', choices: ['Yes', 'No', 'Yet'] },
    },
    {
      prompt: 'Is it? Y',
      grammar: 'root ::= r-after2\nr-after2 ::= r-after0 | r-after1\nr-after1 ::= "et"\nr-after0 ::= "es"\n',
    },
  ],
  'a grammar of the request': [
    { responseFormat: { type: 'grammar', grammar: 'root ::= "(" root ")" | x_1\nx_1 ::= "a"', param: 'grammar' } },
    { grammar: 'r-part0 ::= "a"\nr-part1 ::= "\\x28" root "\\x29"\nroot ::= r-part0 | r-part1\n' },
  ],
  'a choice of texts': [
    { responseFormat: { type: 'choice', choices: ['a', 'b'] } },
    { grammar: 'root ::= "a" | "b"\n' },
  ],
  'tool calls and their results': [
    { messages: CALL_AND_RESULT },
    {
      prompt:
        '<|im_start|>assistant\n<tool_call>\n{"name": "a", "arguments": {}}\n</tool_call><|im_end|>\n' +
        '<|im_start|>user\n<tool_response>\n7\n</tool_response><|im_end|>\n<|im_start|>assistant\n',
    },
  ],
};

for (const [what, [request, expected]] of Object.entries(translated)) {
  test(`llama.cpp gets ${what}`, async () => {
    await generate(request);
    expect(asked[0]).toMatchObject(expected);
  });
}

const refused: Record<string, readonly [Partial<CompletionRequest>, param: string]> = {
  'a prompt of tokens': [{ messages: [], raw: { prompts: [[1, 2]], suffix: null, echo: false } }, 'prompt'],
  'a suffix': [{ messages: [], raw: { prompts: ['a'], suffix: 'b', echo: false } }, 'suffix'],
  'an image': [
    { messages: [{ role: 'user', content: [{ type: 'image', url: 'data:image/png;base64,' }] }] },
    'messages',
  ],
};

for (const [what, [request, param]] of Object.entries(refused)) {
  test(`${what} is refused with the name of its field`, async () => {
    await expect(generate(request)).rejects.toMatchObject({ code: 'unsupported_value', status: 400, param });
    expect(asked).toEqual([]);
  });
}

const WEATHER = {
  name: 'weather',
  description: 'Tells the weather.',
  parameters: { type: 'object', properties: { city: { enum: ['Rome', 'Oslo'] } }, required: ['city'] },
};

/** Chunks of llama.cpp with these parts of a text. */
const saying = (...parts: readonly string[]) =>
  replay([
    ...parts.map((content) => ({ choices: [{ delta: { content }, finish_reason: null }] })),
    { choices: [{ delta: {}, finish_reason: 'stop' }] },
    { choices: [], usage: { prompt_tokens: 9, completion_tokens: 4 } },
  ]);

test('tools are described to the model, and a written call becomes a tool call', async () => {
  answer = () => saying('<tool', '_call>\n{"name": "weather", "arguments": {"ci', 'ty": "Rome"}}\n</tool_call>');
  const events = await generate({ tools: [WEATHER], stop: ['Rome'] });
  expect(asked[0]).toMatchObject({
    stop: [],
    prompt: expect.stringMatching(/^<\|im_start\|>system\n.*"name":"weather".*<\|im_start\|>user\nHello<\|im_end\|>/s),
  });
  const calls = events.flatMap((event) => (event.type === 'delta' ? (event.toolCalls ?? []) : []));
  expect(calls[0]).toMatchObject({ index: 0, name: 'weather', id: expect.stringMatching(/^call_/) });
  expect(calls.map((call) => call.arguments).join('')).toBe('{"city": "Rome"}');
  expect(textOf(events)).toBe('');
  expect(events.slice(-2)).toEqual([
    { type: 'finish', choice: 0, reason: 'tool_calls' },
    { type: 'done', usage: { promptTokens: 9, completionTokens: 4, cachedTokens: 0, reasoningTokens: 0 } },
  ]);
});

/** What the grammar of each tool choice allows. */
const choices: Record<string, readonly [CompletionRequest['toolChoice'], allowed: readonly string[] | null]> = {
  'auto: calls and text': ['auto', ['text', 'weather', 'clock']],
  'required: calls only': ['required', ['weather', 'clock']],
  'a name: calls of that tool only': [{ name: 'clock' }, ['clock']],
  'none: no call, and no grammar': ['none', null],
};
const ANSWERS = {
  text: 'It rains.',
  weather: toolCallText('weather', '{"city": "Rome"}'),
  clock: toolCallText('clock', '{}'),
};

for (const [what, [toolChoice, expected]] of Object.entries(choices)) {
  test(`the tool choice decides what the grammar allows; ${what}`, async () => {
    await generate({ tools: [WEATHER, { name: 'clock', description: null, parameters: null }], toolChoice });
    const gbnf = asked[0]!['grammar'] as string | undefined;
    const grammar = gbnf === undefined ? null : readGbnf(gbnf);
    const isAllowed = (answer: string) => grammar === null || matchesGrammar(grammar, answer);
    const allowed = grammar && Object.entries(ANSWERS).flatMap(([name, text]) => (isAllowed(text) ? [name] : []));
    expect(allowed).toEqual(expected);
  });
}

test('a model that repeats a call is stopped', async () => {
  const call = '<tool_call>\n{"name": "weather", "arguments": {"city": "Rome"}}\n</tool_call>\n';
  answer = () => saying(call, call, call);
  const events = await generate({ tools: [WEATHER] });
  const names = events
    .flatMap((event) => (event.type === 'delta' ? (event.toolCalls ?? []) : []))
    .map(({ name }) => name);
  expect(names.filter((name) => name !== undefined)).toEqual(['weather']);
  expect((asked[0]!['abortSignal'] as AbortSignal).aborted).toBe(true);
});

test('a model without thinking gets a template that closes the thinking block', async () => {
  chatTemplate = `{{ messages[0].content }}{% if enable_thinking is false %}<think></think>{% endif %}`;
  await generate({ thinking: false });
  await generate({ thinking: null });
  expect(asked).toMatchObject([{ prompt: 'Hello<think></think>' }, { prompt: 'Hello' }]);
});

test('a model that thinks only on request is told to', async () => {
  chatTemplate = '{{ messages[0].content }}{% if thinking %}<think>{% endif %}{# </think> #}';
  await generate({ thinking: true });
  await generate({ thinking: null });
  expect(asked.map(({ prompt }) => prompt)).toEqual(['Hello<think>', 'Hello']);
});

test('a template that the Jinja library cannot render is rendered by llama.cpp', async () => {
  chatTemplate = '{% for message in messages %}{{ message.content | unheard_of }}{% endfor %}';
  const messages = [{ role: 'user', content: 'A' }] as const;
  await generate({ messages: [...messages, { role: 'user', content: 'B' }, ...CALL_AND_RESULT] });
  expect(asked[0]).toMatchObject({
    kind: 'chat',
    messages: [
      { role: 'user', content: 'A\n\nB' },
      { role: 'assistant', content: expect.stringContaining('<tool_call>') },
      { role: 'user', content: '<tool_response>\n7\n</tool_response>' },
    ],
  });
});

test.each([
  ['by its own template', '{{ messages[0].content }}', {}],
  ['rendered by llama.cpp', '{{ messages[0].content | unheard_of }}', {}],
  ['as a raw prompt', '', { messages: [], raw: { prompts: ['\ude00 🦊 x\ud83d'], suffix: null, echo: false } }],
])('halves of characters, which llama.cpp refuses, are replaced in a text %s', async (_, template, request) => {
  chatTemplate = template;
  await generate({ messages: [{ role: 'user', content: '\ude00 🦊 x\ud83d' }], ...request });
  const { prompt, messages } = asked[0]!;
  expect(JSON.stringify(prompt ?? messages)).toMatch(/\ufffd 🦊 x\ufffd/);
});

test('the constrained output is the answer, even if llama.cpp takes it for thinking', async () => {
  chatTemplate = '{{ messages[0].content | unheard_of }}';
  answer = () =>
    replay([
      { choices: [{ delta: { reasoning_content: '{"a":1}' }, finish_reason: 'stop' }] },
      ...captured.chat.slice(-1),
    ]);
  expect(textOf(await generate({ responseFormat: { type: 'json_object' } }))).toBe('{"a":1}');
});

test('thinking is separated from the answer', async () => {
  answer = () =>
    replay([
      { choices: [{ delta: { reasoning_content: 'Hm.' }, finish_reason: null }] },
      { choices: [{ delta: { content: 'Yes.' }, finish_reason: 'stop' }] },
    ]);
  const deltas = (await generate({})).filter(({ type }) => type === 'delta');
  expect(deltas).toEqual([
    { type: 'delta', choice: 0, reasoning: 'Hm.' },
    { type: 'delta', choice: 0, content: 'Yes.' },
  ]);
});

test('a request to return tokens is refused with the name of the field', async () => {
  const engine = await loadedEngine();
  const refusal = { code: 'unsupported_value', param: 'model' };
  await expect(engine.tokenize({ type: 'text', text: 'a', prefix: true, markers: true })).rejects.toMatchObject(
    refusal,
  );
  expect(() => engine.detokenize([1])).toThrow(expect.objectContaining(refusal));
});

/** How llama.cpp reports an error in a chat template: below the place in the template. */
const ofTemplate = (error: string) =>
  [
    'Unable to generate parser for this template. Automatic parser generation failed: ',
    '------------',
    'While executing CallExpression at line 4, column 82 in source:',
    "...{{ raise_exception('grammar') }}{%- endif -%}...",
    '           ^',
    error,
  ].join('\n');

const failures: Record<string, readonly [message: string, expected: Record<string, unknown>]> = {
  'a prompt beyond the window': [
    'the request exceeds the available context size (2048 tokens), try increasing it',
    { code: 'context_length_exceeded', param: 'messages' },
  ],
  'a schema that it cannot use': ['failed to parse grammar', { code: 'invalid_value', param: 'response_format' }],
  'a conversation that its template refuses': [
    ofTemplate('Error: Jinja Exception: roles must\nalternate'),
    {
      code: 'invalid_value',
      param: 'messages',
      message: '`messages`: the chat template of small refuses them: roles must alternate',
    },
  ],
  'a template that fails with a conversation': [
    ofTemplate("Error: Unknown (built-in) filter 'trimm' for type String"),
    {
      code: 'invalid_value',
      message: "llama.cpp refuses the request: chat template: Unknown (built-in) filter 'trimm' for type String",
    },
  ],
  'a text that is not well-formed': [
    '[json.exception.parse_error.101] parse error at line 1, column 75: syntax error',
    { code: 'invalid_value', message: expect.stringContaining('parse_error.101') },
  ],
  'a fault of its own': ['Compute error.', { code: 'engine_unavailable', retryAfter: 1 }],
  'a window that is full': ['Context size has been exceeded.', { code: 'context_length_exceeded', param: 'messages' }],
};

test('logprobs of a partial character, which wllama cannot encode, are refused by name', async () => {
  // oxlint-disable-next-line require-yield -- it fails before the first chunk
  answer = async function* () {
    throw new Error('[json.exception.type_error.316] invalid UTF-8 byte at index 0: 0xBF');
  };
  const refusal = { code: 'unsupported_value', param: 'logprobs' };
  await expect(generate({ logprobs: true, topLogprobs: 1 })).rejects.toMatchObject(refusal);
});

for (const [what, [message, expected]] of Object.entries(failures)) {
  test(`llama.cpp's message about ${what} becomes an API error`, async () => {
    // oxlint-disable-next-line require-yield -- it fails before the first chunk
    answer = async function* () {
      throw new Error(message);
    };
    await expect(generate({})).rejects.toMatchObject(expected);
    await expect(generate({ logprobs: true, topLogprobs: 1 })).rejects.toMatchObject(expected);
  });
}

test('an abort ends the generation in llama.cpp', async () => {
  const engine = await loadedEngine();
  answer = untilAborted;
  const controller = new AbortController();
  const events = iterate(engine, controller.signal);
  await events.next();
  await events.next();
  controller.abort(new Error('enough'));
  await expect(
    (async () => {
      for (;;) if ((await events.next()).done) return;
    })(),
  ).rejects.toThrow('enough');
  expect((asked[0]!['abortSignal'] as AbortSignal).aborted).toBe(true);
});

test('a request that is aborted while one of its answers ends generates no other', async () => {
  const controller = new AbortController();
  const call = '<tool_call>\n{"name": "weather", "arguments": {"city": "Rome"}}\n</tool_call>\n';
  // The reader has what it needs after the second call; wllama ends after its current step.
  answer = async function* ({ abortSignal }) {
    for (const content of [call, call]) yield { choices: [{ delta: { content }, finish_reason: null }] };
    if (!abortSignal.aborted) await new Promise((resolve) => abortSignal.addEventListener('abort', resolve));
    controller.abort(new Error('left'));
  };
  await expect(generate({ tools: [WEATHER], choices: 2 }, controller.signal)).rejects.toThrow('left');
  expect(asked).toHaveLength(1);
});

test('a consumer that stops early frees llama.cpp', async () => {
  const engine = await loadedEngine();
  answer = untilAborted;
  for await (const event of engine.generate(completionRequest('Hello', 'small'), new AbortController().signal)) {
    if (event.type === 'delta') break;
  }
  expect((asked[0]!['abortSignal'] as AbortSignal).aborted).toBe(true);
});

test('closing its page loses the model and fails the answer, and the next load starts another worker', async () => {
  const engine = await loadedEngine();
  answer = untilAborted;
  const events = iterate(engine, new AbortController().signal);
  await events.next();
  await events.next();
  await events.next();
  workers[0]!.lose();
  await expect(events.next()).rejects.toMatchObject({ code: 'engine_unavailable' });
  expect(engine.loadedModel).toBeNull();
  await engine.load(MODEL, () => {}, new AbortController().signal);
  expect(engine.loadedModel).toBe('small');
  expect(workers).toHaveLength(2);
});

test('llama.cpp uses half of the CPU threads on an isolated page, and one on any other', async () => {
  expect((await loadedEngine()).place).toBe('llama.cpp; cpu; threads=4');
  expect((await loadedEngine({ isolated: false })).place).toBe('llama.cpp; cpu; threads=1; not cross-origin isolated');
  expect(loaded.map((parameters) => parameters['n_threads'])).toEqual([4, 1]);
});

const GPU = { gpu: 'a graphics card' };

const SHAPE = { 'llama.block_count': 30, 'llama.embedding_length': 576, 'llama.attention.head_count': 9 };

function slidingFile() {
  const shape = Object.entries({ ...SHAPE, 'llama.attention.sliding_window': 512 });
  const header = Object.fromEntries(shape.map(([key, value]) => [key.replace('llama', 'gemma3'), value]));
  return ggufFile({ 'general.architecture': 'gemma3', ...header });
}

test('the KV cache of a model with sliding attention has 16-bit numbers', async () => {
  await loadedEngine({ file: slidingFile() });
  await loadedEngine({ file: ggufFile(SHAPE) });
  expect(loaded).toMatchObject([{ flash_attn: false }, { cache_type_k: 'q8_0' }]);
  expect(loaded[0]).not.toHaveProperty('cache_type_k');
});

test('a site chooses the bits of the KV cache of its GGUF model', async () => {
  const signal = new AbortController().signal;
  await start({ file: slidingFile() }).load({ ...MODEL, cacheBits: 8 }, () => {}, signal);
  await start({ file: ggufFile(SHAPE) }).load({ ...MODEL, cacheBits: 16 }, () => {}, signal);
  expect(loaded).toMatchObject([{ cache_type_k: 'q8_0' }, { flash_attn: false }]);
  expect(loaded[1]).not.toHaveProperty('cache_type_k');
});

test('the KV cache has 8-bit numbers on the CPU if the model allows it, and no flash attention otherwise', async () => {
  await loadedEngine({ file: ggufFile(SHAPE) });
  await loadedEngine();
  await loadedEngine({ file: ggufFile(SHAPE), ...GPU });
  expect(loaded).toMatchObject([
    { cache_type_k: 'q8_0', cache_type_v: 'q8_0', flash_attn: true },
    { flash_attn: false },
    { n_gpu_layers: 99_999 },
  ]);
  expect(loaded[1]).not.toHaveProperty('cache_type_k');
  expect(loaded[2]).not.toHaveProperty('flash_attn');
});

test('a model that answers several requests at once has a whole context window for each, and gives each its own chunks', async () => {
  const engine = start();
  await engine.load({ ...MODEL, parallel: 2 }, () => {}, new AbortController().signal);
  expect(engine.parallel).toBe(2);
  expect(loaded[0]).toMatchObject({ n_ctx: 2 * 2048, n_parallel: 2, kv_unified: false });
  const controllers = [new AbortController(), new AbortController()] as const;
  answer = untilAborted;
  const [first, second] = controllers.map(({ signal }) => {
    const events = engine.generate(completionRequest('Hi'), signal)[Symbol.asyncIterator]();
    return async () => {
      for (;;) {
        const { value } = await events.next();
        if (value === undefined || value.type === 'delta') return value;
      }
    };
  });
  expect(await Promise.all([first!(), second!()])).toMatchObject([{ type: 'delta' }, { type: 'delta' }]);
  controllers[0].abort(new Error('stopped'));
  await expect((async () => [await first!(), await first!(), await first!(), await first!()])()).rejects.toThrow(
    'stopped',
  );
  expect(await second!()).toMatchObject({ type: 'delta' });
  controllers[1].abort();
});

test('a model is loaded onto the GPU if the page has a suitable one', async () => {
  expect((await loadedEngine(GPU)).place).toBe('llama.cpp; gpu; a graphics card');
  expect(loaded[0]).toMatchObject({ n_gpu_layers: 99_999, n_batch: 512 });
  expect(workers).toHaveLength(1);
});

test('a model that computes wrong results on the GPU is loaded on the CPU, immediately and later', async () => {
  counted = ' the of';
  const engine = await loadedEngine(GPU);
  expect(engine.place).toBe('llama.cpp; cpu; threads=4');
  expect(loaded.map((parameters) => parameters['n_gpu_layers'])).toEqual([99_999, 0]);
  expect(workers.map(({ lost }) => lost.aborted)).toEqual([true, false]);
  await engine.load(MODEL, () => {}, new AbortController().signal);
  expect(loaded.map((parameters) => parameters['n_gpu_layers'])).toEqual([99_999, 0, 0]);
});

test('the GPU is checked at the first load of a model only, and again after a failure', async () => {
  await loadedEngine(GPU);
  const engine = await loadedEngine(GPU);
  expect(engine.place).toBe('llama.cpp; gpu; a graphics card');
  expect(checks).toBe(1);
  workers.at(-1)!.send({ verb: 'signal.abort', args: ['abort', 'device lost', '', null] });
  await vi.waitFor(() => expect(engine.loadedModel).toBeNull());
  await loadedEngine(GPU);
  expect(checks).toBe(2);
});

test('the GPU is checked again after an answer on it that hung, and not after one that ended', async () => {
  const engine = await loadedEngine(GPU);
  const ask = () => engine.generate(completionRequest('Hello', 'small'), new AbortController().signal);
  for await (const event of ask()) void event;
  await engine.unload();
  await loadedEngine(GPU);
  expect(checks).toBe(1);
  const hanging = await loadedEngine(GPU);
  answer = untilAborted;
  const events = hanging.generate(completionRequest('Hello', 'small'), new AbortController().signal);
  await events[Symbol.asyncIterator]().next();
  await hanging.unload();
  await loadedEngine(GPU);
  expect(checks).toBe(2);
});

test('a model that does not fit into GPU memory is loaded on the CPU', async () => {
  const results = [Promise.reject(new Error('buffer of 9 GB')), Promise.resolve()];
  load = () => results.shift()!;
  expect((await loadedEngine(GPU)).place).toBe('llama.cpp; cpu; threads=4');
  expect(workers.map(({ lost }) => lost.aborted)).toEqual([true, false]);
});

test('after a crash on the GPU the next load uses the CPU', async () => {
  const engine = await loadedEngine(GPU);
  workers[0]!.send({ verb: 'signal.abort', args: ['abort', 'device lost', '', null] });
  await vi.waitFor(() => expect(engine.loadedModel).toBeNull());
  await engine.load(MODEL, () => {}, new AbortController().signal);
  expect(engine.place).toBe('llama.cpp; cpu; threads=4');
});

test.each([
  ['a question', 'Hello', null, false],
  ['a question', 'Hello', 'a graphics card', false],
  ['a page of text', 'word '.repeat(300), null, true],
  ['a page of text', 'word '.repeat(300), 'a graphics card', false],
  ['ten pages of text', 'word '.repeat(3000), 'a graphics card', true],
])('%s is prefilled with progress reports if that takes long (%#)', async (_, text, gpu, expected) => {
  const engine = await loadedEngine({ gpu });
  for await (const event of engine.generate(completionRequest(text, 'small'), new AbortController().signal)) void event;
  expect(asked[0]).toMatchObject({ return_progress: expected });
});

test('a page that is closed during a GPU computation does not disqualify the GPU', async () => {
  const engine = await loadedEngine(GPU);
  workers[0]!.lose();
  await engine.load(MODEL, () => {}, new AbortController().signal);
  expect(engine.place).toBe('llama.cpp; gpu; a graphics card');
});

test('a page that is closed while a model is loaded on the GPU does not disqualify the GPU', async () => {
  load = () => {
    load = () => Promise.resolve();
    setTimeout(() => workers[0]!.lose());
    return new Promise(() => {});
  };
  const engine = start(GPU);
  const { signal } = new AbortController();
  await expect(engine.load(MODEL, () => {}, signal)).rejects.toMatchObject({ code: 'engine_unavailable' });
  await engine.load(MODEL, () => {}, signal);
  expect(engine.place).toBe('llama.cpp; gpu; a graphics card');
});

test('a load whose worker sends nothing fails with the cause, and terminates the worker', async () => {
  load = () => new Promise(() => {});
  const engine = start({ standstill: 10 });
  await expect(engine.load(MODEL, () => {}, new AbortController().signal)).rejects.toMatchObject({
    code: 'model_load_failed',
    message: expect.stringContaining('no progress'),
  });
  expect(workers[0]!.lost.aborted).toBe(true);
  expect(engine.loadedModel).toBeNull();
});

test('a load that is cancelled during worker startup terminates the worker', async () => {
  const cancel = new AbortController();
  const loading = start().load(MODEL, () => cancel.abort(new Error('cancelled')), cancel.signal);
  await expect(loading).rejects.toThrow('cancelled');
  expect(workers[0]!.lost.aborted).toBe(true);
});

test('a file that llama.cpp refuses fails the load and terminates the worker', async () => {
  load = () => Promise.reject(new Error('unknown model architecture'));
  const engine = start();
  await expect(engine.load(MODEL, () => {}, new AbortController().signal)).rejects.toMatchObject({
    code: 'model_load_failed',
    message: expect.stringContaining('unknown model architecture'),
  });
  expect(workers[0]!.lost.aborted).toBe(true);
});

/** The chunks of an answer with this text. */
const answerOf = (text: string) =>
  replay([
    { choices: [{ delta: { content: text }, finish_reason: null }] },
    { choices: [{ delta: {}, finish_reason: 'stop' }] },
  ]);

test.each<[string, Partial<CompletionRequest>]>([
  ['of a chat', {}],
  ['with log-probabilities', { logprobs: true }],
  ['of a model with tools', { tools: [WEATHER] }],
  ['to a text', { messages: [], raw: { prompts: ['Count.'], suffix: null, echo: false } }],
])('a stop sequence in several tokens ends an answer %s, and is reported', async (_, request) => {
  const pieces = ['One.', ' E', 'ND', ' Two.'];
  answer = () =>
    replay(
      pieces.map((text, index) => ({
        choices: [{ ...('raw' in request ? { text } : { delta: { content: text } }), finish_reason: null }],
        timings: { prompt_n: 5, predicted_n: index + 1 },
      })),
    );
  const events = await generate({ ...request, stop: ['\n', 'END'] });
  expect(textOf(events)).toBe('One. ');
  expect(events.slice(-2)).toEqual([
    { type: 'finish', choice: 0, reason: 'stop', stopSequence: 'END' },
    { type: 'done', usage: { promptTokens: 5, completionTokens: 3, cachedTokens: 0, reasoningTokens: 0 } },
  ]);
});

test('a stop sequence that begins within a character is not found within one', async () => {
  answer = () => replay([{ choices: [{ delta: { content: 'A 🙂' }, finish_reason: 'stop' }] }]);
  expect(textOf(await generate({ stop: ['\ude42'] }))).toBe('A 🙂');
});

test('text that may begin a stop sequence is not lost where the limit ends the answer', async () => {
  answer = () =>
    replay([
      { choices: [{ delta: { content: 'One. ' }, finish_reason: null }] },
      { choices: [{ delta: { content: 'E' }, finish_reason: 'length' }] },
    ]);
  const events = await generate({ stop: ['END'] });
  expect(textOf(events)).toBe('One. E');
  expect(events).toContainEqual({ type: 'finish', choice: 0, reason: 'length' });
});

test('an answer that a stop sequence ended before its first word is not generated again', async () => {
  answer = () => answerOf('No.');
  const engine = await loadedEngine({}, { decline: 'Pardon?' });
  for await (const event of engine.generate(
    { ...completionRequest('Hello', 'small'), stop: ['No'] },
    new AbortController().signal,
  ))
    expect(event.type).not.toBe('delta');
  expect(asked).toHaveLength(1);
});

test.each([
  ['that llama.cpp separates', [{ reasoning_content: 'Hm' }, { reasoning_content: '🙂' }]],
  ['between marks', [{ content: '<think>Hm' }, { content: '🙂' }]],
])('the usage counts the tokens of thinking %s, also those without a text of their own', async (_, thoughts) => {
  chatTemplate = '{{ messages[0].content }}{# <think></think> #}';
  const answered = { content: 'content' in thoughts[0]! ? '</think>Yes.' : 'Yes.' };
  // A character of several tokens comes with the last of them.
  const counts = [1, 4, 5];
  const chunks = [...thoughts, answered].map((delta, index) => ({
    choices: [{ delta, finish_reason: null }],
    timings: { prompt_n: 5, predicted_n: counts[index] },
  }));
  const usage = { prompt_tokens: 5, completion_tokens: 6 };
  answer = () => replay([...chunks, { choices: [{ delta: {}, finish_reason: 'stop' }] }, { choices: [], usage }]);
  const expected = { promptTokens: 5, completionTokens: 12, cachedTokens: 0, reasoningTokens: 8 };
  expect((await generate({ choices: 2 })).at(-1)).toEqual({ type: 'done', usage: expected });
});

test('a text completion may contain control tokens', async () => {
  answer = () => replay(captured.raw);
  await generate({ messages: [], raw: { prompts: ['Once upon'], suffix: null, echo: false } });
  expect(asked[0]).not.toHaveProperty('logit_bias');
});

test.each<[param: string, request: Partial<CompletionRequest>]>([
  ['logit_bias', { logitBias: { '999': 1, '1000': 1 } }],
  ['stop_token_ids', { stopTokens: [999, 1000] }],
])('a token in `%s` that the model does not have is refused', async (param, request) => {
  for (const raw of [{}, { messages: [], raw: { prompts: ['Once'], suffix: null, echo: false } }]) {
    await expect(generate({ ...request, ...raw })).rejects.toMatchObject({
      code: 'invalid_value',
      message: `\`${param}\`: the token ids of the model \`small\` end at 999, but 1000 was given.`,
      param,
    });
  }
  expect(asked).toEqual([]);
});

test('an answer that is only a call of a nonexistent tool is generated again, as text', async () => {
  const answers = ['<tool_call>\n{"name": "send_mail"}', 'I cannot send mail.'];
  answer = () => answerOf(answers.shift()!);
  const events = await generate({});
  expect(textOf(events)).toBe('I cannot send mail.');
  expect(asked.map(({ grammar }) => grammar)).toEqual([undefined, expect.stringContaining('root ::=')]);
  expect(events.filter(({ type }) => type === 'finish')).toEqual([{ type: 'finish', choice: 0, reason: 'stop' }]);
});

test('the second answer of a model without a chat template ends at the first mark of ChatML, too', async () => {
  chatTemplate = null;
  const answers = ['<tool_call>\n{"name": "send_mail"}', 'I cannot.<|im_end|>\n<|im_start|>user\nMore?'];
  answer = () => answerOf(answers.shift()!);
  const events = await generate({});
  expect(textOf(events)).toBe('I cannot.');
  expect(events.filter(({ type }) => type === 'finish')).toEqual([{ type: 'finish', choice: 0, reason: 'stop' }]);
});

test('a second answer that repeats itself endlessly is ended, too', async () => {
  const answers = ['<tool_call>\n{"name": "send_mail"}', 'I cannot send any mail at all. '.repeat(2000)];
  answer = () =>
    replay(
      answers
        .shift()!
        .match(/[^]{1,5}/g)!
        .map((content) => ({ choices: [{ delta: { content }, finish_reason: null }] })),
    );
  const events = await generate({});
  expect(textOf(events).length).toBeLessThan(20_000);
  expect(events.filter(({ type }) => type === 'finish')).toEqual([
    { type: 'finish', choice: 0, reason: 'length', isStuck: true },
  ]);
});

test('a call that the limit of tokens cuts is no answer, and text before one is an answer that is cut', async () => {
  const call = '<tool_call>\n{"name": "send_';
  const answers = [call, 'I cannot send ', `I will.\n${call}`];
  answer = () => replay([{ choices: [{ delta: { content: answers.shift()! }, finish_reason: 'length' }] }]);
  for (const [text, requests] of [
    ['I cannot send ', 2],
    ['I will.\n', 3],
  ] as const) {
    const events = await generate({});
    expect(textOf(events)).toBe(text);
    expect(asked).toHaveLength(requests);
    expect(events.filter(({ type }) => type === 'finish')).toEqual([{ type: 'finish', choice: 0, reason: 'length' }]);
  }
});

test('the text before a call of a nonexistent tool is the answer', async () => {
  answer = () => answerOf('I will.\n<tool_call>\n{"name": "send_mail"}');
  const events = await generate({});
  expect(textOf(events)).toBe('I will.\n');
  expect(asked).toHaveLength(1);
});

const RAW = { messages: [], raw: { prompts: ['Once'], suffix: null, echo: false } };
const LINES = { type: 'regex', pattern: '[\\s\\S]*', param: '' } as const;

for (const [what, template, request, expected] of [
  ['of a model without a chat template ends at the first mark of ChatML', null, {}, 'Paris.'],
  ['of a model with one does not', '{{ messages }}', {}, 'Paris.<|im_end|>\n<|im_start|>user\nMore?'],
  ['to a schema may contain the marks', null, { responseFormat: LINES }, 'Paris.<|im_end|>\n<|im_start|>user\nMore?'],
  ['to a raw prompt may contain them', null, RAW, 'Paris.<|im_end|>\n<|im_start|>user\nMore?'],
] as const) {
  test(`the answer ${what}`, async () => {
    chatTemplate = template;
    const pieces = ['Paris.<', '|im_', 'end|>\n<|im_sta', 'rt|>user\nMore?'];
    const field = 'raw' in request ? (text: string) => ({ text }) : (content: string) => ({ delta: { content } });
    answer = () => replay(pieces.map((piece) => ({ choices: [{ ...field(piece), finish_reason: null }] })));
    const events = await generate(request);
    expect(textOf(events)).toBe(expected);
    expect(events.find(({ type }) => type === 'finish')).toMatchObject({ reason: 'stop' });
  });
}

test.each([
  ['white space, which may precede thinking', '\n'],
  ['what may be a call', '<tool_call>\n{"name": "a"}\n</tool_call>\n'],
])('a model that slowly writes %s does not count as stuck', async (_, held) => {
  chatTemplate = '{{ messages[0].content }}{# <think></think> #}';
  const engine = await loadedEngine();
  vi.useFakeTimers();
  answer = async function* () {
    const pieces = ['One.\n', ...held, ...Array.from({ length: 40 }, () => '\n'), 'Two.'];
    for (const content of pieces) {
      await new Promise((resolve) => setTimeout(resolve, 5000));
      yield { choices: [{ delta: { content }, finish_reason: null }] };
    }
  };
  const { signal } = new AbortController();
  const events = engine.generate(completionRequest('Hello', 'small'), signal);
  const told: GenerationEvent[] = [];
  const ended = (async () => {
    for await (const event of withGenerationTimeouts(events, signal, DEFAULT_GENERATION_TIMEOUTS)) told.push(event);
  })();
  await vi.advanceTimersByTimeAsync(600_000);
  await ended;
  vi.useRealTimers();
  expect(textOf(told).replaceAll('\n', '')).toBe(`One.${held.replaceAll('\n', '')}Two.`);
});

test('the engine says that a chat model has no chat template', async () => {
  chatTemplate = null;
  expect((await loadedEngine()).place).toBe('llama.cpp; cpu; threads=4; no chat template');
  expect((await loadedEngine(GPU)).place).toBe('llama.cpp; gpu; a graphics card; no chat template');
});

test('an answer that loops is ended with the reason', async () => {
  const word = { choices: [{ delta: { content: 'varied ' }, finish_reason: null }] };
  answer = () => replay(Array.from({ length: 400 }, () => word));
  const events = await generate({});
  expect(events.find(({ type }) => type === 'finish')).toMatchObject({ reason: 'length', isStuck: true });
  expect(textOf(events).length).toBeLessThan(200 * 'varied '.length);
});
