import { expect, test } from 'vitest';
import { EARLY_HEADERS_HEADER } from '../../../src/shared/http/early-headers.ts';
import type { ApiErrorCode } from '../../../src/shared/api-error.ts';
import type { CompletionEvent } from '../../../src/shared/engine/completion-event.ts';
import type { ModelEntry } from '../../../src/shared/models/model-entry.ts';
import { contextLengthExceeded } from '../../../src/shared/engine/engine-errors.ts';
import { findServerError } from '../support/find-server-error.ts';
import { readError } from '../support/read-error.ts';
import { createTestApp, GOOD_BODY, MODELS, type TestApp } from '../support/test-app.ts';

const [POCKET] = MODELS as [ModelEntry];
const whole: ModelEntry = { ...POCKET, id: 'vectors', contextWindow: 512, embedding: { dimensions: 4 } };
const short: ModelEntry = { ...whole, id: 'short-vectors', embedding: { dimensions: 4, shortens: true } };

const VECTORS = [
  [0.5, -0.5, 0.5, 0.5],
  [0, 0, 0, -1],
];

/** Vectors in batches, in another order than the inputs. */
const ANSWER: readonly CompletionEvent[] = [
  { type: 'prefill' },
  { type: 'delta', choice: 1, embedding: Float32Array.from(VECTORS[1]!) },
  { type: 'prefill' },
  { type: 'delta', choice: 0, embedding: Float32Array.from(VECTORS[0]!) },
  { type: 'done', usage: { promptTokens: 7, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 } },
];

function setUp(models: readonly ModelEntry[] = [...MODELS, whole, short]): TestApp {
  const app = createTestApp({ models: async () => models });
  app.service.play(ANSWER);
  return app;
}

const embed = (app: TestApp, fields: object, headers: Record<string, string> = {}) =>
  app.send('/embeddings', { method: 'POST', headers, body: JSON.stringify({ model: 'vectors', ...fields }) });

test.each<[object, object]>([
  [{ input: 'one' }, { inputs: ['one'], dimensions: null }],
  [{ input: ['one', 'two'] }, { inputs: ['one', 'two'], dimensions: null }],
  [
    { input: 'a', dimensions: 4, encoding_format: null },
    { inputs: ['a'], dimensions: 4 },
  ],
  [
    { input: 'a', dimensions: 2, model: 'short-vectors' },
    { inputs: ['a'], dimensions: 2 },
  ],
  [
    { input: Array.from({ length: 2048 }, () => 'a') },
    { inputs: Array.from({ length: 2048 }, () => 'a'), dimensions: null },
  ],
])('the engine gets %j', async (fields, expected) => {
  const app = setUp();
  expect((await embed(app, fields)).status).toBe(200);
  expect(app.service.completions[0]!.request).toMatchObject({ messages: [], embed: expected });
});

test.each<[object, ApiErrorCode, string]>([
  [{}, 'missing_required_parameter', 'input'],
  [{ input: null }, 'missing_required_parameter', 'input'],
  [{ input: 1 }, 'invalid_type', 'input'],
  [{ input: '' }, 'invalid_value', 'input'],
  [{ input: [] }, 'empty_array', 'input'],
  [{ input: ['a', ''] }, 'invalid_value', 'input[1]'],
  [{ input: ['a', 1] }, 'unsupported_value', 'input'],
  [{ input: ['a', [1]] }, 'unsupported_value', 'input'],
  [{ input: [1, 999] }, 'unsupported_value', 'input'],
  [{ input: [[1], [2, 3]] }, 'unsupported_value', 'input'],
  [{ input: [[]] }, 'unsupported_value', 'input'],
  [{ input: Array.from({ length: 513 }, () => 1) }, 'unsupported_value', 'input'],
  [{ input: ['a', 'x'.repeat(513 * 256)] }, 'context_length_exceeded', 'input[1]'],
  [{ input: Array.from({ length: 2049 }, () => 'a') }, 'array_above_max_length', 'input'],
  [{ input: 'a', encoding_format: 'hex' }, 'invalid_value', 'encoding_format'],
  [{ input: 'a', dimensions: 0 }, 'integer_below_min_value', 'dimensions'],
  [{ input: 'a', dimensions: 2 }, 'invalid_value', 'dimensions'],
  [{ input: 'a', dimensions: 5, model: 'short-vectors' }, 'invalid_value', 'dimensions'],
  [{ input: 'a', model: 'nobody' }, 'model_not_found', 'model'],
  [{ input: 'a', model: 'pocket' }, 'unsupported_value', 'model'],
])('%j is refused', async (fields, code, param) => {
  const app = setUp();
  expect(await readError(await embed(app, fields))).toMatchObject({ code, param });
  expect(app.service.completions).toEqual([]);
});

test.each([
  ['of several texts', [[9906, 1917]]],
  ['of one text', [9906, 1917]],
  ['of one text with more tokens than inputs are allowed', Array.from({ length: 8191 }, () => 1)],
  ['after a text', ['a', [9906]]],
  ['among texts', ['a', 9906]],
  ['nested too deeply', [[[9906]]]],
])('the refusal of token ids %s says how LangChain sends texts', async (_what, input) => {
  const { message } = await readError(await embed(setUp(), { input }));
  expect(message).toContain('check_embedding_ctx_length=False');
});

async function answer(fields: object) {
  const response = await embed(setUp(), { input: ['one', 'two'], ...fields });
  return (await response.json()) as { data: { embedding: string }[] };
}

test('every input has its vector, as numbers or as base64 of little-endian 32-bit floats', async () => {
  expect(await answer({})).toEqual({
    object: 'list',
    data: VECTORS.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    model: 'vectors',
    usage: { prompt_tokens: 7, total_tokens: 7 },
  });
  const { data } = await answer({ encoding_format: 'base64' });
  const numbers = data.map(({ embedding }) => {
    const bytes = Buffer.from(embedding, 'base64');
    return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
  });
  expect(numbers).toEqual(VECTORS);
});

test('an input that is too long is rejected by its index', async () => {
  const app = setUp();
  const error = contextLengthExceeded({ contextWindow: 512 }, 600, { param: 'input[1]' }).toData();
  app.service.play([{ type: 'error', error }]);
  const { status, param, message } = await readError(await embed(app, { input: ['a', 'b'] }));
  expect({ status, param }).toEqual({ status: 400, param: 'input[1]' });
  expect(message).toMatch(/maximum context length is 512 tokens\. However, your input\[1\] resulted in 600 tokens/);
});

test.each([
  ['/chat/completions', GOOD_BODY],
  ['/completions', { prompt: 'a' }],
  ['/responses', { input: 'a' }],
])('%s refuses a model that computes embeddings, and names one that writes', async (path, body) => {
  const post = (app: TestApp) =>
    app.send(path, { method: 'POST', body: JSON.stringify({ ...body, model: 'vectors' }) }).then(readError);
  const refusal = { status: 400, code: 'unsupported_value', param: 'model' };
  expect(await post(setUp())).toMatchObject({
    ...refusal,
    message: 'The model `vectors` computes embeddings and writes nothing. Use `pocket`.',
  });
  expect(await post(setUp([whole]))).toMatchObject({
    ...refusal,
    message: expect.stringMatching(/may use none that does\. A page of this site can download others/),
  });
});

test('a text model is rejected with the name of an embedding model', async () => {
  const { message } = await readError(await embed(setUp(), { input: 'a', model: 'pocket' }));
  expect(message).toBe('The model `pocket` writes and computes no embeddings. Use `vectors`.');
});

test('a model lists whether it computes embeddings, and their dimensions', async () => {
  const app = setUp();
  const { tabserve } = (await (await app.send('/models/vectors')).json()) as { tabserve: object };
  expect(tabserve).toMatchObject({
    dimensions: 4,
    capabilities: { embeddings: true, chat: false, completions: false, responses: false, tools: false },
  });
});

test('disconnecting ends the computation', async () => {
  const app = setUp();
  app.service.play([{ type: 'prefill' }]);
  const response = await embed(app, { input: 'a' }, { [EARLY_HEADERS_HEADER]: '1' });
  await response.body?.cancel();
  expect(app.service.completions[0]!.cancelled).toBe(true);
});

test('any request gets a 200 or a 4xx', async () => {
  const app = setUp();
  const names = ['input', 'model', 'dimensions', 'encoding_format'];
  expect(await findServerError(names, (fields) => embed(app, { input: 'a', ...fields }))).toBeNull();
});
