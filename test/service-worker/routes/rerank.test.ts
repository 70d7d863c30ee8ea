import { expect, test } from 'vitest';
import type { ModelEntry } from '../../../src/shared/models/model-entry.ts';
import { findServerError } from '../support/find-server-error.ts';
import { readError } from '../support/read-error.ts';
import { createTestApp, MODELS, type TestApp } from '../support/test-app.ts';

const [POCKET] = MODELS as [ModelEntry];
const vectors: ModelEntry = { ...POCKET, id: 'vectors', contextWindow: 512, embedding: { dimensions: 2 } };

const ranker: ModelEntry = { ...vectors, id: 'ranker', embedding: { dimensions: 1, ranks: true } };

/** An app whose engine embeds the query as [1, 0], and the documents as these vectors. */
function setUp(...documents: readonly (readonly [number, number])[]): TestApp {
  const app = createTestApp({ models: async () => [...MODELS, vectors, ranker] });
  const deltas = [[1, 0], ...documents].map(
    (vector, choice) => ({ type: 'delta', choice, embedding: Float32Array.from(vector) }) as const,
  );
  const usage = { promptTokens: 9, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 };
  app.service.play([{ type: 'prefill' }, ...deltas.toReversed(), { type: 'done', usage }]);
  return app;
}

const rank = (app: TestApp, fields: object) =>
  app.send('/rerank', { method: 'POST', body: JSON.stringify({ model: 'vectors', query: 'q', ...fields }) });

test('documents are sorted by the similarity of their vectors to that of the query', async () => {
  const app = setUp([0, 1], [1, 0], [0.5, -0.5], [-1, 0]);
  const response = await rank(app, { documents: ['a', { text: 'b' }, 'c', 'd'] });
  expect(await response.json()).toEqual({
    id: expect.stringMatching(/^rerank-/),
    object: 'list',
    model: 'vectors',
    results: [
      { index: 1, relevance_score: 1 },
      { index: 2, relevance_score: 0.5 },
      { index: 0, relevance_score: 0 },
      { index: 3, relevance_score: -1 },
    ],
    usage: { prompt_tokens: 9, total_tokens: 9 },
  });
  const embed = { inputs: ['q', 'a', 'b', 'c', 'd'], dimensions: null };
  expect(app.service.completions.at(-1)!.request).toMatchObject({ model: 'vectors', embed });
});

test('a request without a model uses the first model that can rank, even if the default model is a chat model', async () => {
  const app = createTestApp({
    models: async () => [...MODELS, vectors, ranker],
    settings: { defaultModel: POCKET.id },
  });
  const delta = { type: 'delta', embedding: Float32Array.of(1, 0) } as const;
  const usage = { promptTokens: 9, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 };
  app.service.play([{ type: 'prefill' }, { ...delta, choice: 0 }, { ...delta, choice: 1 }, { type: 'done', usage }]);
  const response = await rank(app, { model: undefined, documents: ['a'] });
  expect(await response.json()).toMatchObject({ model: 'vectors', results: [{ index: 0, relevance_score: 1 }] });
});

test('documents are sorted by the scores of a reranking model', async () => {
  const app = setUp();
  const usage = { promptTokens: 9, completionTokens: 0, cachedTokens: 0, reasoningTokens: 0 };
  app.service.play([
    { type: 'prefill' },
    { type: 'delta', choice: 2, embedding: Float32Array.of(3) },
    { type: 'delta', choice: 1, embedding: Float32Array.of(-1.5) },
    { type: 'done', usage },
  ]);
  const response = await rank(app, { model: 'ranker', documents: ['a', 'b'] });
  expect(await response.json()).toMatchObject({
    model: 'ranker',
    results: [
      { index: 1, relevance_score: 3 },
      { index: 0, relevance_score: -1.5 },
    ],
  });
});

test('a reranking model is listed as such, and a request for its embeddings is refused', async () => {
  const app = setUp();
  const { tabserve } = (await (await app.send('/models/ranker')).json()) as { tabserve: object };
  expect(tabserve).toMatchObject({ capabilities: { chat: false, embeddings: false, rerank: true } });
  expect(tabserve).not.toHaveProperty('dimensions');
  const refused = await app.send('/embeddings', {
    method: 'POST',
    body: JSON.stringify({ model: 'ranker', input: 'a' }),
  });
  expect(await readError(refused)).toMatchObject({ status: 400, code: 'unsupported_value', param: 'model' });
});

test('the best documents have their texts if requested, and without a model the first embedding model is used', async () => {
  const app = setUp([0, 1], [1, 0]);
  const response = await rank(app, { model: null, documents: ['a', 'b'], top_n: 1, return_documents: true });
  expect(await response.json()).toMatchObject({
    model: 'vectors',
    results: [{ index: 1, relevance_score: 1, document: { text: 'b' } }],
  });
});

test.each([
  [{ documents: [] }, 'empty_array', 'documents'],
  [{}, 'missing_required_parameter', 'documents'],
  [{ documents: 'a' }, 'invalid_type', 'documents'],
  [{ documents: ['a', ''] }, 'invalid_value', 'documents[1]'],
  [{ documents: [{}] }, 'missing_required_parameter', 'documents[0].text'],
  [{ documents: [7] }, 'invalid_type', 'documents[0]'],
  [{ documents: Array.from({ length: 2048 }, () => 'a') }, 'array_above_max_length', 'documents'],
  [{ query: '', documents: ['a'] }, 'invalid_value', 'query'],
  [{ documents: ['a'], top_n: 0 }, 'integer_below_min_value', 'top_n'],
  [{ documents: ['a'], model: 'pocket' }, 'unsupported_value', 'model'],
  [{ documents: ['a'], model: 'rerank-v3.5' }, 'model_not_found', 'model'],
])('%j is refused', async (fields, code, param) => {
  expect(await readError(await rank(setUp(), fields))).toMatchObject({ code, param });
});

test('a key that may use no embedding model gets an error that says so', async () => {
  const response = await rank(createTestApp(), { model: null, documents: ['a'] });
  expect(await readError(response)).toMatchObject({ status: 404, code: 'model_not_found' });
});

test('malformed requests get a 4xx or an answer, never a 5xx', async () => {
  const names = ['model', 'query', 'documents', 'top_n', 'return_documents', 'text'];
  expect(await findServerError(names, (fields) => rank(setUp([1, 0]), fields))).toBeNull();
});
