import { expect, test, vi } from 'vitest';
import { generationError } from '../../../src/engine-worker/webllm/engine-error.ts';
import { ask, loadedEngine } from './support/test-engine.ts';

test('a prompt over the window is refused with both counts, and the engine stays usable', async () => {
  const { engine } = await loadedEngine({ replies: [['ok']], entry: { contextWindow: 50 } });
  const failure = ask(engine, 'x'.repeat(100));
  await expect(failure).rejects.toMatchObject({ code: 'context_length_exceeded', status: 400, param: 'messages' });
  await expect(failure).rejects.toThrow(/context_length_exceeded.*maximum context length is 50 tokens.* 103 tokens/);
  expect((await ask(engine, 'x')).choices[0]?.content).toBe('ok');
});

test.each([
  [46, true],
  [47, false],
])('with the prefix a prompt of %d characters fits into a window of 50: %j', async (length, fits) => {
  const template = { system_prefix_token_ids: [261] };
  const { engine } = await loadedEngine({ replies: [['ok']], entry: { contextWindow: 50 }, template });
  const outcome = await ask(engine, 'x'.repeat(length)).then(
    ({ usage }) => usage.promptTokens,
    (error: { code: string }) => error.code,
  );
  expect(outcome).toBe(fits ? 50 : 'context_length_exceeded');
});

test('an image for a model without eyes is refused', async () => {
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
  ['UnsupportedRoleError', '', 'invalid_value'],
  ['TypeError', 'x is not a function', 'internal_error'],
  ['Error', 'Internal Error: secret prompt', 'internal_error'],
])("WebLLM's %s (%s) is %s, and its text stays inside", (name, message, code) => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const error = generationError(Object.assign(new Error(message), { name }), { grammar: null, images: false });
  expect(error.code).toBe(code);
  expect(error.message).not.toContain(message || name);
});

test('a step that fails is an internal error, and the engine stays usable', async () => {
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
