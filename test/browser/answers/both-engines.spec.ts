import { expect, test, type Page } from '@playwright/test';
import { localModels } from '../../../src/command-line/local-models.ts';
import type { Site } from '../../../src/command-line/http-server/serve-built-site.ts';
import { EventStreamParser, fieldValues } from '../../../src/shared/http/event-stream-parser.ts';
import { openControlled } from '../../support/pages/site-page.ts';
import { serveDist } from '../../support/sites/test-site.ts';

/**
 * The same cases of the API on both engines: Pocket on WebLLM, SmolLM2 on llama.cpp. A case holds for both unless it
 * says what one of them does instead, and why.
 */

const ENGINES = { WebLLM: 'pocket', 'llama.cpp': 'smollm2' } as const;
type EngineName = keyof typeof ENGINES;

interface Reply {
  readonly status: number;
  /** The header `x-tabserve-engine`. */
  readonly engine: string | null;
  /** The parsed JSON body, or the data of each event of a stream except `[DONE]`. */
  readonly body: unknown;
}

/** Sends a request to an engine's model, whose id is added to the body. Default of `path`: chat completions. */
type Ask = (body: object, path?: string) => Promise<Reply>;

type Check = (ask: Ask, engine: EngineName) => Promise<void>;

interface ContractCase {
  /** Checks what both engines do. */
  readonly check: Check;
  /** Checks what one engine does instead. */
  readonly differs?: { readonly engine: EngineName; readonly check: Check; readonly because: string };
}

interface LogprobToken {
  readonly token: string;
  readonly logprob: number;
  readonly top_logprobs: readonly unknown[];
}

interface Chat {
  readonly choices: readonly {
    readonly index: number;
    readonly message: {
      readonly content: string;
      readonly tool_calls?: readonly { readonly function: { readonly name: string; readonly arguments: string } }[];
    };
    readonly finish_reason: string;
    readonly logprobs: { readonly content: readonly LogprobToken[] } | null;
  }[];
  readonly usage: {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly total_tokens: number;
    readonly prompt_tokens_details: { readonly cached_tokens: number };
  };
}

interface Chunk {
  readonly choices: readonly {
    readonly index: number;
    readonly delta: { readonly content?: string };
    readonly finish_reason: string | null;
  }[];
  readonly usage?: Chat['usage'] | null;
}

const user = (content: string) => [{ role: 'user', content }];
const HELLO = { messages: user('Say hello.'), temperature: 0, max_tokens: 6 };
/** For each engine, the id of a token that is an ordinary word. */
const A_TOKEN = { WebLLM: 300, 'llama.cpp': 2000 } as const;

/** Sends a request, which must succeed. @returns its body. */
async function answer<Document = Chat>(ask: Ask, body: object, path?: string): Promise<Document> {
  const { status, body: document } = await ask(body, path);
  expect(status, JSON.stringify(document)).toBe(200);
  return document as Document;
}

const textOf = ({ choices: [choice] }: Chat) => choice!.message.content;
const contentOf = (chunks: readonly Chunk[], index = 0) =>
  chunks
    .flatMap(({ choices }) => choices)
    .filter((choice) => choice.index === index)
    .map(({ delta }) => delta.content ?? '')
    .join('');

const refused =
  (param: string, body: object, path?: string): Check =>
  async (ask) =>
    expect(await ask(body, path)).toMatchObject({ status: 400, body: { error: { param, code: 'unsupported_value' } } });

const SCHEMA = {
  type: 'object',
  properties: { city: { enum: ['Rome', 'Paris'] } },
  required: ['city'],
  additionalProperties: false,
};
const TOOL = { type: 'function', function: { name: 'visit', parameters: SCHEMA } };
const IMAGE = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };

const NO_TOKENIZER = 'wllama has had no calls of the tokenizer since its version 3';

const CASES: Readonly<Record<string, ContractCase>> = {
  'a chat answer has text, a reason to end, and usage that adds up': {
    async check(ask) {
      const { choices, usage } = await answer(ask, HELLO);
      expect(choices).toMatchObject([
        { index: 0, message: { role: 'assistant', content: expect.stringMatching(/\w/) } },
      ]);
      expect(['stop', 'length']).toContain(choices[0]!.finish_reason);
      expect(usage.completion_tokens).toBeGreaterThan(0);
      expect(usage.total_tokens).toBe(usage.prompt_tokens + usage.completion_tokens);
    },
  },
  'the stream has the same text, and the same usage at its end': {
    async check(ask) {
      const whole = await answer(ask, HELLO);
      const chunks = await answer<Chunk[]>(ask, { ...HELLO, stream: true, stream_options: { include_usage: true } });
      expect(contentOf(chunks)).toBe(textOf(whole));
      const { prompt_tokens, completion_tokens } = whole.usage;
      expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens, completion_tokens } });
    },
  },
  'the header says that this device answers': {
    check: async (ask) => expect((await ask(HELLO)).engine).toBe('local'),
    differs: {
      engine: 'llama.cpp',
      check: async (ask) => expect((await ask(HELLO)).engine).toMatch(/^local; llama\.cpp; cpu; threads=\d+$/),
      because: 'it also names the engine, which is not the usual one, and its threads',
    },
  },
  'max_tokens cuts an answer': {
    async check(ask) {
      const { choices, usage } = await answer(ask, { ...HELLO, messages: user('Tell me a story.'), max_tokens: 3 });
      expect([choices[0]!.finish_reason, usage.completion_tokens]).toEqual(['length', 3]);
    },
  },
  'a limit beyond 32 bits cuts nothing': {
    async check(ask) {
      const whole = textOf(await answer(ask, { ...HELLO, max_tokens: 60 }));
      for (const max_tokens of [2 ** 32 + 3, 2 ** 63]) {
        const { choices } = await answer(ask, { ...HELLO, max_tokens });
        expect(choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: whole } });
      }
    },
  },
  'a repeated prompt comes from the prompt cache': {
    async check(ask) {
      await answer(ask, HELLO);
      expect((await answer(ask, HELLO)).usage.prompt_tokens_details.cached_tokens).toBeGreaterThan(0);
    },
  },
  'a stop sequence ends the answer and is not in it': {
    async check(ask) {
      const [first = ''] = textOf(await answer(ask, HELLO)).match(/\w+/) ?? [];
      const { choices } = await answer(ask, { ...HELLO, stop: [first] });
      expect([choices[0]!.finish_reason, choices[0]!.message.content.includes(first)]).toEqual(['stop', false]);
    },
  },
  'a seed repeats a sampled answer': {
    async check(ask) {
      const sampled = { ...HELLO, temperature: 1, seed: 7 };
      expect(textOf(await answer(ask, sampled))).toBe(textOf(await answer(ask, sampled)));
    },
  },
  'logprobs have each token of the text with alternatives': {
    async check(ask) {
      for (const alternatives of [0, 2]) {
        const { choices } = await answer(ask, { ...HELLO, logprobs: true, top_logprobs: alternatives });
        const tokens = choices[0]!.logprobs!.content;
        expect(tokens.map(({ token }) => token).join('')).toBe(choices[0]!.message.content);
        for (const { logprob, top_logprobs } of tokens) {
          expect(logprob).toBeLessThanOrEqual(0);
          expect(top_logprobs).toHaveLength(alternatives);
        }
      }
    },
  },
  'logit_bias forces a token': {
    async check(ask, engine) {
      const { choices } = await answer(ask, {
        ...HELLO,
        logprobs: true,
        max_tokens: 3,
        logit_bias: { [A_TOKEN[engine]]: 100 },
      });
      const tokens = choices[0]!.logprobs!.content.map(({ token }) => token);
      expect([tokens.length, new Set(tokens).size]).toEqual([3, 1]);
    },
  },
  'a token that the model does not have is refused': {
    async check(ask) {
      for (const [param, value] of Object.entries({ logit_bias: { 2_000_000: 1 }, stop_token_ids: [2_000_000] })) {
        const message = expect.stringMatching(/token ids of the model `\w+` end at \d+, but 2000000 was given/);
        expect(await ask({ ...HELLO, [param]: value })).toMatchObject({
          status: 400,
          body: { error: { param, message } },
        });
      }
    },
  },
  'n choices are separate, and their prompt counts once': {
    async check(ask) {
      const story = { ...HELLO, messages: user('Tell me a story.') };
      const [one, two] = [await answer(ask, story), await answer(ask, { ...story, temperature: 1.5, seed: 1, n: 2 })];
      expect(two.choices.map(({ index }) => index)).toEqual([0, 1]);
      expect(two.choices[0]!.message.content).not.toBe(two.choices[1]!.message.content);
      expect(two.usage.prompt_tokens).toBe(one.usage.prompt_tokens);
    },
  },
  'penalties and nucleus sampling are accepted': {
    async check(ask) {
      const penalties = { presence_penalty: 1, frequency_penalty: 1, top_p: 0.5, temperature: 0.7, seed: 1 };
      expect(textOf(await answer(ask, { ...HELLO, ...penalties }))).toMatch(/\w/);
    },
  },
  'penalties let an answer end, however many turns are before it': {
    async check(ask) {
      const turns = Array.from({ length: 12 }, (_, turn) => [
        { role: 'user', content: `Say ${turn}` },
        { role: 'assistant', content: String(turn) },
      ]);
      const messages = [...turns.flat(), ...user('Say 12')];
      const { choices } = await answer(ask, { ...HELLO, messages, max_tokens: 40, frequency_penalty: 1 });
      expect(choices[0]!.finish_reason).toBe('stop');
    },
  },
  'min_p of 1 leaves only the likeliest token, whatever the temperature': {
    async check(ask) {
      const sampled = { ...HELLO, temperature: 2, top_p: 1, seed: 3, max_tokens: 12 };
      const likeliest = textOf(await answer(ask, { ...sampled, temperature: 0 }));
      expect(textOf(await answer(ask, { ...sampled, min_p: 1 }))).toBe(likeliest);
      expect(textOf(await answer(ask, sampled))).not.toBe(likeliest);
    },
  },
  'stop_token_ids end the answer before the token': {
    async check(ask, engine) {
      const forced = { ...HELLO, max_tokens: 3, logit_bias: { [A_TOKEN[engine]]: 100 } };
      const { choices } = await answer(ask, { ...forced, stop_token_ids: [A_TOKEN[engine]] });
      expect(choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: '' } });
      expect((await answer(ask, { ...forced, stop_token_ids: [1] })).choices[0]!.finish_reason).toBe('length');
    },
  },
  'ignore_eos goes on to the limit': {
    async check(ask) {
      const brief = { ...HELLO, max_tokens: 60 };
      expect((await answer(ask, brief)).choices[0]!.finish_reason).toBe('stop');
      const { choices, usage } = await answer(ask, { ...brief, ignore_eos: true, loop_detection: false });
      expect([choices[0]!.finish_reason, usage.completion_tokens]).toEqual(['length', 60]);
    },
  },
  'repeat_penalty is repetition_penalty': {
    async check(ask) {
      const story = { ...HELLO, messages: user('Tell me a story.'), max_tokens: 40 };
      const penalised = textOf(await answer(ask, { ...story, repetition_penalty: 3 }));
      expect(textOf(await answer(ask, { ...story, repeat_penalty: 3 }))).toBe(penalised);
      expect(textOf(await answer(ask, story))).not.toBe(penalised);
    },
  },
  'an answer continues its given beginning in every dialect': {
    async check(ask) {
      const begun = [...user('Say hello.'), { role: 'assistant', content: 'Hello, my dear' }];
      const whole = { ...HELLO, messages: begun };
      const marked = begun.map((message) => (message.role === 'user' ? message : { ...message, prefix: true }));
      const rest = textOf(await answer(ask, { ...HELLO, messages: marked }));
      expect(rest).toMatch(/\S/);
      const vllm = { ...whole, continue_final_message: true, add_generation_prompt: false };
      expect(textOf(await answer(ask, vllm))).toBe(rest);
      const { content } = await answer<{ content: { text: string }[] }>(ask, whole, '/messages');
      expect(content.map(({ text }) => text).join('')).toBe(rest);
      const constrained = { ...HELLO, messages: marked, guided_choice: ['Hello, my dear friend', 'Good morning'] };
      expect(textOf(await answer(ask, constrained))).toBe(' friend');
    },
  },
  'a required tool is called with arguments that match its schema': {
    async check(ask) {
      for (const strict of [false, true]) {
        const tools = [{ ...TOOL, function: { ...TOOL.function, strict } }];
        const { choices } = await answer(ask, {
          messages: user('Visit Rome.'),
          temperature: 0,
          max_tokens: 60,
          tools,
          tool_choice: 'required',
          parallel_tool_calls: false,
        });
        const [call] = choices[0]!.message.tool_calls ?? [];
        expect([choices[0]!.finish_reason, call?.function.name]).toEqual(['tool_calls', 'visit']);
        expect(['Rome', 'Paris']).toContain((JSON.parse(call!.function.arguments) as { city: string }).city);
      }
    },
  },
  'a schema is enforced': {
    async check(ask) {
      const json_schema = { name: 'city', strict: true, schema: SCHEMA };
      const format = { response_format: { type: 'json_schema', json_schema } };
      const text = textOf(await answer(ask, { ...HELLO, ...format, max_tokens: 40 }));
      expect(['Rome', 'Paris']).toContain((JSON.parse(text) as { city: string }).city);
    },
  },
  'a grammar and a regular expression are enforced': {
    async check(ask) {
      expect(textOf(await answer(ask, { ...HELLO, grammar: 'root ::= "yes" | "no"' }))).toMatch(/^(yes|no)$/);
      expect(textOf(await answer(ask, { ...HELLO, guided_regex: '[0-9]{3}' }))).toMatch(/^\d{3}$/);
    },
  },
  'a schema that nothing satisfies is refused': {
    async check(ask) {
      const schema = {
        type: 'object',
        properties: { a: { type: 'string', minLength: 3, maxLength: 2 } },
        required: ['a'],
      };
      const format = { response_format: { type: 'json_schema', json_schema: { name: 'never', strict: true, schema } } };
      expect(await ask({ ...HELLO, ...format })).toMatchObject({
        status: 400,
        body: { error: { code: expect.any(String) } },
      });
    },
  },
  'a text is continued, and echoed on request': {
    async check(ask) {
      const { choices } = await answer<{ choices: { text: string }[] }>(
        ask,
        { prompt: 'Once upon a', echo: true, max_tokens: 3, temperature: 0 },
        '/completions',
      );
      expect(choices[0]!.text).toMatch(/^Once upon a./);
    },
  },
  'an empty text is continued, too': {
    async check(ask) {
      const { usage } = await answer(ask, { prompt: '', max_tokens: 3, temperature: 0 }, '/completions');
      expect([usage.prompt_tokens, usage.completion_tokens]).toEqual([1, expect.any(Number)]);
      expect(usage.completion_tokens).toBeGreaterThan(0);
    },
  },
  'a prompt of tokens is continued': {
    check: async (ask) => {
      await answer(ask, { prompt: [300, 301], max_tokens: 2 }, '/completions');
    },
    differs: {
      engine: 'llama.cpp',
      check: refused('prompt', { prompt: [300, 301], max_tokens: 2 }, '/completions'),
      because: 'wllama 3.13 gives every prompt to the tokenizer as text',
    },
  },
  'infilling between prompt and suffix is refused': {
    check: refused('suffix', { prompt: 'Once', suffix: 'the end.', max_tokens: 2 }, '/completions'),
  },
  'Responses are answered whole and streamed': {
    async check(ask) {
      const request = { input: 'Say hello.', temperature: 0, max_output_tokens: 16 };
      const whole = await answer<{ output: { content: { text: string }[] }[] }>(ask, request, '/responses');
      const events = await answer<{ type: string; delta?: string }[]>(ask, { ...request, stream: true }, '/responses');
      const text = whole.output.flatMap(({ content }) => content.map((part) => part.text)).join('');
      expect(events.flatMap(({ type, delta }) => (type === 'response.output_text.delta' ? [delta] : [])).join('')).toBe(
        text,
      );
      expect(text).toMatch(/\w/);
    },
  },
  'Messages are answered whole and streamed': {
    async check(ask) {
      const request = { messages: user('Say hello.'), temperature: 0, max_tokens: 6 };
      const whole = await answer<{ content: { text: string }[] }>(ask, request, '/messages');
      const events = await answer<{ delta?: { text?: string } }[]>(ask, { ...request, stream: true }, '/messages');
      expect(events.map(({ delta }) => delta?.text ?? '').join('')).toBe(
        whole.content.map(({ text }) => text).join(''),
      );
    },
  },
  'texts are tokenized and detokenized': {
    async check(ask) {
      const { tokens } = await answer<{ tokens: number[] }>(ask, { content: 'Hello' }, '/tokenize');
      expect(await answer(ask, { tokens }, '/detokenize')).toMatchObject({ content: 'Hello' });
    },
    differs: {
      engine: 'llama.cpp',
      async check(ask, engine) {
        await refused('model', { content: 'Hello' }, '/tokenize')(ask, engine);
        await refused('model', { tokens: [300] }, '/detokenize')(ask, engine);
      },
      because: NO_TOKENIZER,
    },
  },
  'the tokens of a request are counted': {
    check: async (ask) =>
      expect(await answer(ask, { messages: user('Hello') }, '/messages/count_tokens')).toMatchObject({
        input_tokens: expect.any(Number),
      }),
    differs: {
      engine: 'llama.cpp',
      async check(ask) {
        const { status, body } = await ask({ messages: user('Hello') }, '/messages/count_tokens');
        expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('does not show its tokens')]);
      },
      because: NO_TOKENIZER,
    },
  },
  'a chat model is refused for embeddings by name': {
    check: async (ask) =>
      expect(await ask({ input: 'sea' }, '/embeddings')).toMatchObject({
        status: 400,
        body: { error: { param: 'model' } },
      }),
  },
  'an image is refused by name': {
    check: async (ask) =>
      expect(await ask({ ...HELLO, messages: [{ role: 'user', content: [IMAGE] }] })).toMatchObject({
        status: 400,
        body: { error: { code: 'unsupported_value', param: expect.stringMatching(/^messages/) } },
      }),
  },
  'a prompt beyond the window is refused with its length': {
    async check(ask) {
      const { body } = await ask({ ...HELLO, messages: user('word '.repeat(9000)) });
      // The status is not checked: on a slow CPU the response headers are sent before the prompt is found to be too
      // long.
      const error = { code: 'context_length_exceeded', param: 'messages', message: expect.stringMatching(/\d{4}/) };
      expect(body).toMatchObject({ error });
    },
  },
  'a stored answer is retrieved unchanged': {
    async check(ask) {
      const { id, choices } = await answer<Chat & { id: string }>(ask, { ...HELLO, store: true });
      const { body } = await ask({}, `GET /chat/completions/${id}`);
      expect(body).toMatchObject({ id, choices: [{ message: { content: choices[0]!.message.content } }] });
    },
  },
};

test.skip(
  localModels().every(({ id }) => id !== 'smollm2'),
  'SmolLM2 is not here: `npm run model -- smollm2` fetches it.',
);
// The tests of an engine share the model that the first of them loads.
test.describe.configure({ mode: 'default', timeout: 240_000 });

let site: Site;
let page: Page;

test.beforeAll(async ({ browser }) => {
  site = await serveDist({ gguf: localModels() });
  page = await browser.newPage();
  await openControlled(page, site.url);
});

test.afterAll(async () => {
  await page?.close();
  await site?.close();
});

for (const engine of Object.keys(ENGINES) as EngineName[]) {
  for (const [name, { check, differs }] of Object.entries(CASES)) {
    const other = differs?.engine === engine ? differs : null;
    test(`${engine}: ${name}${other === null ? '' : `: differs because ${other.because}`}`, () =>
      (other ?? { check }).check((body, path) => send(engine, body, path), engine));
  }
  test(`${engine}: an aborted stream frees the model`, async () => {
    const whole = await answer((body) => send(engine, body), HELLO);
    await abortAfterFirstPiece({ model: ENGINES[engine], messages: user('Count to a thousand.'), max_tokens: 500 });
    expect(textOf(await answer((body) => send(engine, body), HELLO))).toBe(textOf(whole));
  });
}

/** @param route A path below `/v1`; a method other than POST comes before it, with a space. */
async function send(engine: EngineName, body: object, route = '/chat/completions'): Promise<Reply> {
  const [path = '', method = 'POST'] = route.split(' ').toReversed();
  const reply = await page.evaluate(
    async ({ method, path, body }) => {
      const response = await fetch(`/v1${path}`, {
        method,
        headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
        ...(method === 'POST' && { body }),
      });
      const text = await response.text();
      const { status, headers } = response;
      return { status, engine: headers.get('x-tabserve-engine'), type: headers.get('content-type') ?? '', text };
    },
    { method, path, body: JSON.stringify({ model: ENGINES[engine], ...body }) },
  );
  const { status, engine: by, type, text } = reply;
  if (!type.startsWith('text/event-stream')) return { status, engine: by, body: JSON.parse(text) as unknown };
  const data = new EventStreamParser().push(text).flatMap((block) => fieldValues(block, 'data'));
  return {
    status,
    engine: by,
    body: data.filter((value) => value !== '[DONE]').map((value) => JSON.parse(value) as unknown),
  };
}

function abortAfterFirstPiece(body: object): Promise<void> {
  return page.evaluate(
    async (body) => {
      const abort = new AbortController();
      const response = await fetch('/v1/chat/completions', {
        method: 'POST',
        headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
        body,
        signal: abort.signal,
      });
      await response.body!.getReader().read();
      abort.abort();
    },
    JSON.stringify({ ...body, stream: true }),
  );
}
