import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { generationError } from '../../../../src/engine-worker/webllm/errors/webllm-errors.ts';
import { readLongestToken } from '../../../../src/engine-worker/webllm/prompt/longest-token.ts';
import { ask, loadedEngine, requestOf, testEngine } from '../support/test-engine.ts';

test('a prompt that exceeds the window is refused with both counts, and the engine stays usable', async () => {
  const { engine } = await loadedEngine({ replies: [['ok']], entry: { contextWindow: 50 } });
  const failure = ask(engine, 'x'.repeat(100));
  await expect(failure).rejects.toMatchObject({ code: 'context_length_exceeded', status: 400, param: 'messages' });
  await expect(failure).rejects.toThrow(
    /^This model's maximum context length is 50 tokens\. However, your messages resulted in 103 tokens\./,
  );
  expect((await ask(engine, 'x')).choices[0]?.content).toBe('ok');
});

test.each([
  [45, true],
  [46, false],
])(
  'with prefix tokens and one token of the answer, a prompt of %d characters fits into a window of 50: %j',
  async (length, fits) => {
    const template = { system_prefix_token_ids: [261] };
    const { engine } = await loadedEngine({ replies: [['ok']], entry: { contextWindow: 50 }, template });
    const outcome = await ask(engine, 'x'.repeat(length)).then(
      ({ usage }) => usage.promptTokens + usage.completionTokens,
      (error: { code: string }) => error.code,
    );
    expect(outcome).toBe(fits ? 50 : 'context_length_exceeded');
  },
);

test('a prompt that cannot fit in any tokenization is refused before it is tokenized', async () => {
  const longest = 'x'.repeat(20);
  const { engine, files, entry, tokenizer } = await testEngine({ replies: [['ok']], entry: { contextWindow: 50 } });
  const described = JSON.parse(files.get('tokenizer.json')!) as object;
  const model = { type: 'BPE', byte_fallback: true, vocab: { a: 0, [longest]: 1 } };
  files.set('tokenizer.json', JSON.stringify({ ...described, model }));
  await engine.load(entry, () => {}, new AbortController().signal);
  const encode = vi.spyOn(tokenizer, 'encode');
  const failure = ask(engine, 'x'.repeat(2_000_000));
  await expect(failure).rejects.toMatchObject({ code: 'context_length_exceeded', status: 400, param: 'messages' });
  await expect(failure).rejects.toThrow(/maximum context length is 50 tokens.* at least 10000\d tokens/);
  expect(encode).not.toHaveBeenCalled();
  expect((await ask(engine, 'x')).choices[0]?.content).toBe('ok');
});

test('a prompt that may fit by its size is tokenized only until it certainly does not', async () => {
  const { engine, tokenizer } = await loadedEngine({ replies: [['ok']] });
  const encode = vi.spyOn(tokenizer, 'encode');
  const failure = ask(engine, 'x'.repeat(4_000_000));
  await expect(failure).rejects.toThrow(/maximum context length is 4000 tokens.* at least \d+ tokens/);
  expect(encode.mock.calls.map(([text]) => text.length)).toEqual([2 ** 17]);
});

test('tokenizing a long prompt can be cancelled', async () => {
  const { engine, tokenizer, runs } = await loadedEngine({ replies: [['ok']], entry: { contextWindow: 1_000_000 } });
  const controller = new AbortController();
  const encode = vi.spyOn(tokenizer, 'encode').mockImplementation(() => {
    controller.abort(new Error('enough'));
    return new Int32Array(1);
  });
  const events = engine.generate(requestOf('x'.repeat(4_000_000)), controller.signal)[Symbol.asyncIterator]();
  expect((await events.next()).value).toEqual({ type: 'prefill' });
  await expect(events.next()).rejects.toThrow('enough');
  expect(encode).toHaveBeenCalledOnce();
  expect(runs).toEqual([]);
});

test.each([
  ['pairs of token and score', { byte_fallback: true, vocab: [['abc', -1] as const, ['abcde', -2] as const] }, {}, 5],
  ['a token for each byte', { vocab: { abcde: 1 } }, { pre_tokenizer: { type: 'ByteLevel' } }, 5],
  [
    'a normalizer that may compose characters',
    { byte_fallback: true, vocab: { abcde: 1 } },
    { normalizer: { type: 'NFC' } },
    20,
  ],
  ['an added token', { byte_fallback: true, vocab: { a: 1 } }, { added_tokens: [{ content: '<|end|>' }] }, 7],
  ['one token for everything unknown', { vocab: { a: 1 } }, {}, Infinity],
])('finds the longest token of a vocabulary with %s', (_what, model, more, longest) => {
  expect(readLongestToken({ model, ...more })).toBe(longest);
});

test('the built-in model has no token longer than 13 characters', () => {
  const text = readFileSync('public/models/pocket/tokenizer.json', 'utf8');
  expect(readLongestToken(JSON.parse(text))).toBe(13);
});

test('an image for a model without image support is refused', async () => {
  const { engine, runs } = await loadedEngine();
  const image = { type: 'image', url: 'data:image/png;base64,AA==' } as const;
  await expect(ask(engine, { messages: [{ role: 'user', content: [image] }] })).rejects.toMatchObject({
    code: 'unsupported_value',
    param: 'messages',
  });
  expect(runs).toEqual([]);
});

test.each([
  ['ContextWindowSizeExceededError', 'number of prompt tokens: 7; context window size: 5', 'context_length_exceeded'],
  ['ModelNotLoadedError', '', 'gpu_device_lost'],
  ['DeviceLostError', '', 'gpu_device_lost'],
  ['GrammarMatcherInitError', 'response format `json_object`: Aborted()', 'invalid_value'],
  ['PrefillChunkSizeSmallerThanImageError', '', 'invalid_value'],
  ['UserMessageContentErrorForNonVLM', '', 'unsupported_value'],
  ['MinValueError', 'Make sure `max_tokens` > 0.', 'invalid_value'],
  ['RangeError', 'Make sure 0 < top_p <= 1.', 'invalid_value'],
  ['RangeError', 'Invalid array length', 'internal_error'],
  ['RangeError', 'Maximum call stack size exceeded', 'context_length_exceeded'],
  ['RangeError', 'too many function arguments', 'context_length_exceeded'],
  ['UnsupportedRoleError', '', 'invalid_value'],
  ['TypeError', 'x is not a function', 'internal_error'],
  ['Error', 'Internal Error: secret prompt', 'internal_error'],
])("WebLLM's %s (%s) is %s, and its text is not sent", (name, message, code) => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const error = generationError(Object.assign(new Error(message), { name }), {
    grammar: null,
    images: false,
    prompt: 'messages' as const,
    model: { contextWindow: 50 },
  });
  expect(error.code).toBe(code);
  expect(error.message).not.toContain(message || name);
});

test('the error for a prompt that is too long says how large the window can be set', async () => {
  const window = { most: 8000, bytesPerToken: 4, layers: 1 };
  const { engine } = await loadedEngine({ replies: [['ok']], entry: { contextWindow: 50, window } });
  const told = /50 tokens.*set a larger context window.*up to 8000 tokens/;
  await expect(ask(engine, 'x'.repeat(100))).rejects.toThrow(told);
});

test('a failed step is an internal error, and the engine stays usable', async () => {
  let failing = true;
  const { engine } = await loadedEngine({
    replies: [['a', 'b']],
    async onForward(kind) {
      if (kind === 'decode' && failing) throw new Error('kernel');
    },
  });
  await expect(ask(engine, 'x')).rejects.toMatchObject({ code: 'internal_error' });
  failing = false;
  expect((await ask(engine, 'x')).choices[0]?.content).toBe('ab');
});

test('a tokenizer that traps while a long prompt is counted makes its model unusable', async () => {
  const { engine, tokenizer } = await loadedEngine({ replies: [['ok']] });
  vi.spyOn(tokenizer, 'encode').mockImplementation(() => {
    throw new WebAssembly.RuntimeError('unreachable');
  });
  await expect(ask(engine, 'a '.repeat(2 ** 16 + 1))).rejects.toMatchObject({ code: 'engine_unavailable' });
  expect(engine.loadedModel).toBeNull();
});
