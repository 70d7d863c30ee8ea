import { describe, expect, test } from 'vitest';
import type { ApiErrorCode } from '../../../src/shared/api-error.ts';
import type { CompletionEvent, TokenLogprob } from '../../../src/shared/engine/completion-event.ts';
import type { CompletionRequest } from '../../../src/shared/engine/completion-request.ts';
import { gpuCrashed } from '../../../src/shared/engine/engine-errors.ts';
import { findServerError } from '../support/find-server-error.ts';
import { expectPublishedForm } from '../support/published-schemas.ts';
import { readError } from '../support/read-error.ts';
import { parseEventStream } from '../support/read-event-stream.ts';
import { expectForm } from '../support/reply-schemas.ts';
import { answerIn, USAGE } from '../support/scripted-service.ts';
import { createTestApp } from '../support/test-app.ts';

interface TextChoice {
  readonly text: string;
  readonly index: number;
  readonly logprobs: object | null;
  readonly finish_reason: string | null;
}

const PLAIN = { suffix: null, echo: false };

test.each<[string, object, Partial<CompletionRequest>]>([
  ['a text', { prompt: 'Once' }, { raw: { ...PLAIN, prompts: ['Once'] } }],
  ['nothing', { prompt: null }, { raw: { ...PLAIN, prompts: [''] } }],
  ['texts', { prompt: ['a', ''] }, { raw: { ...PLAIN, prompts: ['a', ''] } }],
  ['tokens', { prompt: [1, 999] }, { raw: { ...PLAIN, prompts: [[1, 999]] } }],
  ['lists of tokens', { prompt: [[1, 2], [3]] }, { raw: { ...PLAIN, prompts: [[1, 2], [3]] } }],
  ['texts and tokens', { prompt: ['a', [3]] }, { raw: { ...PLAIN, prompts: ['a', [3]] } }],
  ['an echoed prompt', { prompt: 'a', echo: true }, { raw: { prompts: ['a'], suffix: null, echo: true } }],
  ['a gap', { prompt: 'a', suffix: 'b' }, { raw: { prompts: ['a'], suffix: 'b', echo: false } }],
  ['no gap', { prompt: 'a', suffix: '' }, { raw: { ...PLAIN, prompts: ['a'] } }],
  [
    'a constraint',
    { prompt: 'a', guided_regex: 'b+' },
    { responseFormat: { type: 'regex', pattern: 'b+', param: 'guided_regex' } },
  ],
  [
    'a constraint on the end of the prompt, too',
    { prompt: 'Yes or no? Y', response_format: { type: 'json_object' }, constraint_prefix: 'Y' },
    { raw: { ...PLAIN, prompts: ['Yes or no? Y'], constraintPrefix: 'Y' }, responseFormat: { type: 'json_object' } },
  ],
  [
    'a constraint on the end of texts and tokens, too',
    { prompt: ['xa', [1, 2]], guided_regex: 'a*', constraint_prefix: 'a' },
    { raw: { ...PLAIN, prompts: ['xa', [1, 2]], constraintPrefix: 'a' } },
  ],
  ['no limit', { prompt: 'a' }, { maxTokens: 16, messages: [], choices: 1, logprobs: false, topLogprobs: 0 }],
  ['a limit', { prompt: 'a', max_tokens: 0 }, { maxTokens: 0 }],
  ['no limit', { prompt: 'a', max_tokens: -1 }, { maxTokens: null }],
  ["no limit by llama-server's name", { prompt: 'a', n_predict: -1 }, { maxTokens: null }],
  ['the limit of the first name', { prompt: 'a', max_tokens: -1, n_predict: 5 }, { maxTokens: null }],
  ['logprobs', { prompt: 'a', logprobs: 0 }, { logprobs: true, topLogprobs: 0 }],
  ['more logprobs', { prompt: 'a', logprobs: 20 }, { logprobs: true, topLogprobs: 20 }],
  ['the best of two choices', { prompt: 'a', best_of: 2 }, { choices: 2, logprobs: true }],
  ['two choices of two', { prompt: 'a', n: 2, best_of: 2, stream: true }, { choices: 2, logprobs: false }],
  [
    'fields that chat completions have too',
    { prompt: 'a', temperature: 0, top_p: 1, stop: ['x'], seed: 3, presence_penalty: 1, user: 'me' },
    { temperature: 0, topP: 1, stop: ['x'], seed: 3, presencePenalty: 1 },
  ],
  [
    'biases',
    { prompt: 'a', frequency_penalty: -1, logit_bias: { 3: 5 } },
    { frequencyPenalty: -1, logitBias: { 3: 5 } },
  ],
])('the engine gets %s', async (_name, fields, expected) => {
  const app = createTestApp();
  expect((await app.complete(fields)).status).toBe(200);
  expect(app.service.completions[0]!.request).toMatchObject(expected);
});

test.each<[object, ApiErrorCode, string]>([
  [{}, 'missing_required_parameter', 'prompt'],
  [{ prompt: 1 }, 'invalid_type', 'prompt'],
  [{ prompt: {} }, 'invalid_type', 'prompt'],
  [{ prompt: [] }, 'empty_array', 'prompt'],
  [{ prompt: ['a', []] }, 'empty_array', 'prompt[1]'],
  [{ prompt: ['a', 1] }, 'invalid_type', 'prompt[1]'],
  [{ prompt: [1, 'a'] }, 'invalid_type', 'prompt[1]'],
  [{ prompt: [1, -1] }, 'invalid_type', 'prompt[1]'],
  [{ prompt: [[1], [2.5]] }, 'invalid_type', 'prompt[1][0]'],
  [{ prompt: [1000] }, 'invalid_value', 'prompt'],
  [{ prompt: 'x'.repeat(2048 * 256) }, 'context_length_exceeded', 'prompt'],
  [{ prompt: Array.from({ length: 2048 }, () => 1) }, 'context_length_exceeded', 'prompt'],
  [{ prompt: 'a', suffix: 1 }, 'invalid_type', 'suffix'],
  [{ prompt: 'a', grammar: 'root ::= "a"', guided_regex: 'a' }, 'invalid_value', 'guided_regex'],
  [{ prompt: 'a', response_format: { type: 'prose' } }, 'invalid_value', 'response_format.type'],
  [{ prompt: 'a', constraint_prefix: 1 }, 'invalid_type', 'constraint_prefix'],
  [{ prompt: 'List:', guided_regex: 'ab', constraint_prefix: 'a' }, 'invalid_value', 'constraint_prefix'],
  [{ prompt: ['a', 'b'], guided_regex: 'ab', constraint_prefix: 'a' }, 'invalid_value', 'constraint_prefix'],
  [{ prompt: [1, 2], guided_regex: 'a*', constraint_prefix: 'a'.repeat(513) }, 'invalid_value', 'constraint_prefix'],
  [{ prompt: 'a', max_tokens: -2 }, 'integer_below_min_value', 'max_tokens'],
  [{ prompt: 'a', n_predict: -3 }, 'integer_below_min_value', 'n_predict'],
  [{ prompt: 'a', logprobs: 21 }, 'integer_above_max_value', 'logprobs'],
  [{ prompt: 'a', logprobs: true }, 'invalid_type', 'logprobs'],
  [{ prompt: 'a', logprobs: 1, echo: true }, 'invalid_value', 'echo'],
  [{ prompt: 'a', echo: 1 }, 'invalid_type', 'echo'],
  [{ prompt: 'a', n: 2, best_of: 1 }, 'invalid_value', 'best_of'],
  [{ prompt: 'a', best_of: 21 }, 'integer_above_max_value', 'best_of'],
  [{ prompt: 'a', best_of: 2, stream: true }, 'invalid_value', 'best_of'],
  [{ prompt: ['a', 'b'], n: 65 }, 'array_above_max_length', 'prompt'],
  [{ prompt: 'a', stream_options: {} }, 'invalid_value', 'stream_options'],
  [{ prompt: 'a', logit_bias: { 1000: 1 } }, 'invalid_value', 'logit_bias'],
  [{ prompt: 'a', model: 'nobody' }, 'model_not_found', 'model'],
])('%j is refused', async (fields, code, param) => {
  const app = createTestApp();
  expect(await readError(await app.complete(fields))).toMatchObject({ code, param });
  expect(app.service.completions).toEqual([]);
});

const bytesOf = (text: string) => [...new TextEncoder().encode(text)];

const token = (token: string, logprob: number, ...others: [string, number][]): TokenLogprob => ({
  token,
  logprob,
  bytes: bytesOf(token),
  topLogprobs: others.map(([other, logprob]) => ({ token: other, logprob, bytes: bytesOf(other) })),
});

/** Two choices for each of two prompts; the second is more probable. */
const FOUR: readonly CompletionEvent[] = [
  { type: 'prefill' },
  ...[-2, -1, -4, -3].flatMap((logprob, choice): CompletionEvent[] => [
    { type: 'delta', choice, content: `${choice}😀`, logprobs: [token(`${choice}😀`, logprob, ['x', -9])] },
    { type: 'delta', choice, content: '!', logprobs: [token('!', logprob, ['!', logprob], ['__proto__', -8])] },
    { type: 'finish', choice, reason: choice === 3 ? 'length' : 'stop' },
  ]),
  { type: 'done', usage: USAGE },
];
const LOGPROBS_OF_3 = {
  tokens: ['3😀', '!'],
  token_logprobs: [-3, -3],
  top_logprobs: [
    { x: -9, '3😀': -3 },
    Object.fromEntries([
      ['!', -3],
      ['__proto__', -8],
    ]),
  ],
  text_offset: [0, 2],
};

describe('the answer', () => {
  test('has a choice for each prompt and each `n`, and the usage of all', async () => {
    const app = createTestApp();
    app.service.play(FOUR);
    const answer = (await (await app.complete({ prompt: ['a', 'b'], n: 2, logprobs: 1 })).json()) as {
      choices: TextChoice[];
    };
    expectForm('textCompletion', answer);
    expectPublishedForm('CreateCompletionResponse', answer);
    expect(answer.choices.map(({ text }) => text)).toEqual(['0😀!', '1😀!', '2😀!', '3😀!']);
    expect(answer.choices[3]).toEqual({ text: '3😀!', index: 3, logprobs: LOGPROBS_OF_3, finish_reason: 'length' });
    expect(answer).toMatchObject({
      model: 'pocket',
      usage: { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 },
    });
  });

  test('has the most probable choices of each prompt', async () => {
    const app = createTestApp();
    app.service.play(FOUR);
    const answer = (await (await app.complete({ prompt: ['a', 'b'], best_of: 2 })).json()) as { choices: TextChoice[] };
    expectForm('textCompletion', answer);
    expectPublishedForm('CreateCompletionResponse', answer);
    expect(answer.choices).toEqual([
      { text: '1😀!', index: 0, logprobs: null, finish_reason: 'stop' },
      { text: '3😀!', index: 1, logprobs: null, finish_reason: 'length' },
    ]);
  });

  test('names the bytes of a token that ends inside a character, and counts characters where they begin', async () => {
    const app = createTestApp();
    const parts = [[0xf0, 0x9f], [0x98], [0x80]].map((bytes) => {
      const own = { token: 'a part', logprob: -1, bytes };
      return { ...own, topLogprobs: [own] };
    });
    const logprobs = [...parts, token('!', -1, ['!', -1])];
    app.service.play([
      { type: 'prefill' },
      { type: 'delta', choice: 0, content: '😀!', logprobs },
      { type: 'finish', choice: 0, reason: 'stop' },
      { type: 'done', usage: USAGE },
    ]);
    const answer = (await (await app.complete({ prompt: 'a', logprobs: 1 })).json()) as { choices: TextChoice[] };
    expect(answer.choices[0]?.logprobs).toMatchObject({
      tokens: ['bytes:\\xf0\\x9f', 'bytes:\\x98', 'bytes:\\x80', '!'],
      top_logprobs: [{ 'bytes:\\xf0\\x9f': -1 }, { 'bytes:\\x98': -1 }, { 'bytes:\\x80': -1 }, { '!': -1 }],
      text_offset: [0, 1, 1, 1],
    });
  });

  test('is the same when it is streamed', async () => {
    const app = createTestApp();
    app.service.play(FOUR);
    const fields = { prompt: ['a', 'b'], n: 2, logprobs: 1, stream: true };
    const { chunks, done } = parseEventStream(await (await app.complete(fields)).text());
    expect(done).toBe(true);
    for (const chunk of chunks) expectForm('textChunk', chunk);
    const pieces = chunks
      .flatMap(({ choices }) => choices as unknown as TextChoice[])
      .filter(({ index }) => index === 3);
    expect(pieces.map(({ text }) => text)).toEqual(['3😀', '!', '']);
    expect(pieces.map((piece) => piece.finish_reason)).toEqual([null, null, 'length']);
    expect(pieces.map(({ logprobs }) => (logprobs as typeof LOGPROBS_OF_3 | null)?.text_offset)).toEqual([
      [0],
      [2],
      undefined,
    ]);
  });

  test('ends its stream with the usage if requested', async () => {
    const fields = { prompt: 'a', stream: true, stream_options: { include_usage: true } };
    const { chunks } = parseEventStream(await (await createTestApp().complete(fields)).text());
    expect(chunks.map(({ usage }) => usage === null)).toEqual([true, true, true, false]);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 17 } });
  });

  test('can be resumed, with the same id', async () => {
    const app = createTestApp();
    app.service.play([{ type: 'begun', created: 1_700_000_000 }, ...answerIn('a', 'b')]);
    const headers = { 'x-tabserve-stream-id': 's'.repeat(22) };
    const body = JSON.stringify({ model: 'pocket', prompt: 'a', stream: true });
    const send = () => app.send('/completions', { method: 'POST', headers, body });
    const [first, second] = [await send(), await send()];
    expect(first.headers.get('x-tabserve-stream-id')).toBe('s'.repeat(22));
    expect(await first.text()).toBe(await second.text());
    const [one, other] = app.service.completions.map(({ options }) => options);
    expect(one!.fingerprint).toBe(other!.fingerprint);
  });

  test('ends with an error of the engine, as on other routes', async () => {
    const app = createTestApp();
    app.service.play([...answerIn('a').slice(0, 2), { type: 'error', error: gpuCrashed().toData() }]);
    const { chunks } = parseEventStream(await (await app.complete({ prompt: 'a', stream: true })).text());
    expect(chunks.at(-1)).toMatchObject({ error: { code: 'gpu_device_lost' } });
  });
});

test('malformed requests get a 4xx or a 200, never a 5xx', async () => {
  const app = createTestApp();
  const names = ['prompt', 'suffix', 'n', 'best_of', 'logprobs', 'echo', 'max_tokens', 'stream', 'stop', 'logit_bias'];
  const failing = await findServerError(names, (fields) => app.complete({ prompt: 'a', ...fields }));
  expect(failing).toBeNull();
}, 300_000);
