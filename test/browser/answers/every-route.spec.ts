import { expect, type Page } from '@playwright/test';
import { test } from '../../support/pages/shared-site.ts';

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** A request for every route of the endpoint, in an order in which each finds what it needs. */
const CALLS: readonly {
  readonly route: string;
  readonly body?: object;
  /** The fields of a form that uploads a file. */
  readonly form?: Readonly<Record<string, string>>;
  /** Some of the fields in the body of the response. */
  readonly expected: object;
  /** The path variable that the id in the response replaces in later routes. */
  readonly variable?: string;
}[] = [
  {
    route: 'POST /chat/completions',
    body: { messages: [{ role: 'user', content: 'Hello' }], max_tokens: 4, store: true, metadata: { a: 'b' } },
    expected: { object: 'chat.completion', choices: [{ message: { role: 'assistant' } }] },
    variable: '{completion_id}',
  },
  { route: 'GET /chat/completions', expected: { object: 'list' } },
  { route: 'GET /chat/completions/{completion_id}', expected: { object: 'chat.completion', metadata: { a: 'b' } } },
  {
    route: 'POST /chat/completions/{completion_id}',
    body: { metadata: { a: 'c' } },
    expected: { metadata: { a: 'c' } },
  },
  {
    route: 'GET /chat/completions/{completion_id}/messages',
    expected: { object: 'list', data: [{ role: 'user', content: 'Hello' }] },
  },
  { route: 'DELETE /chat/completions/{completion_id}', expected: { deleted: true } },
  {
    route: 'POST /completions',
    body: { prompt: 'Once', max_tokens: 4 },
    expected: { object: 'text_completion', choices: [{ index: 0 }] },
  },
  {
    route: 'POST /messages',
    body: { messages: [{ role: 'user', content: 'Hello' }], max_tokens: 4 },
    expected: { type: 'message', role: 'assistant', content: [{ type: 'text' }] },
  },
  {
    route: 'POST /messages/count_tokens',
    body: { messages: [{ role: 'user', content: 'Hello' }] },
    expected: { input_tokens: expect.any(Number) },
  },
  {
    route: 'POST /responses',
    body: { input: 'Hello', max_output_tokens: 16, background: true },
    expected: { object: 'response' },
    variable: '{response_id}',
  },
  { route: 'POST /responses/input_tokens', body: { input: 'Hello' }, expected: { object: 'response.input_tokens' } },
  { route: 'POST /responses/compact', body: { input: 'Hello' }, expected: { object: 'response.compaction' } },
  { route: 'GET /responses/{response_id}', expected: { object: 'response' } },
  { route: 'GET /responses/{response_id}/input_items', expected: { object: 'list' } },
  { route: 'POST /responses/{response_id}/cancel', body: {}, expected: { object: 'response' } },
  { route: 'DELETE /responses/{response_id}', expected: { deleted: true } },
  {
    route: 'POST /embeddings',
    body: { model: 'pocket-embed', input: 'Whales live in the sea.' },
    expected: { object: 'list', data: [{ object: 'embedding' }] },
  },
  {
    route: 'POST /rerank',
    body: {
      model: 'pocket-embed',
      query: 'Where do whales live?',
      documents: ['Bread is baked.', 'Whales live in the sea.'],
    },
    expected: { model: 'pocket-embed', results: [{ index: 1 }, { index: 0 }] },
  },
  { route: 'POST /tokenize', body: { content: 'Hello' }, expected: { tokens: [expect.any(Number)] } },
  { route: 'POST /detokenize', body: { tokens: [5] }, expected: { content: expect.any(String) } },
  {
    route: 'GET /models',
    expected: { object: 'list', data: expect.arrayContaining([expect.objectContaining({ id: 'pocket' })]) },
  },
  { route: 'GET /models/{model}', expected: { id: 'pocket', object: 'model' } },
  { route: 'GET /health', expected: { status: 'ok' } },
  { route: 'GET /props', expected: { model_alias: 'pocket', total_slots: 1 } },
  { route: 'POST /files', form: { purpose: 'assistants' }, expected: { object: 'file' }, variable: '{file_id}' },
  { route: 'GET /files', expected: { object: 'list' } },
  { route: 'GET /files/{file_id}', expected: { object: 'file' } },
  { route: 'GET /files/{file_id}/content', expected: { whales: 'the sea' } },
  {
    route: 'POST /vector_stores',
    body: { name: 'Sea' },
    expected: { object: 'vector_store', name: 'Sea' },
    variable: '{vector_store_id}',
  },
  { route: 'GET /vector_stores', expected: { object: 'list' } },
  { route: 'GET /vector_stores/{vector_store_id}', expected: { object: 'vector_store' } },
  { route: 'POST /vector_stores/{vector_store_id}', body: { name: 'Whales' }, expected: { name: 'Whales' } },
  {
    route: 'POST /vector_stores/{vector_store_id}/files',
    body: { file_id: '{file_id}' },
    expected: { object: 'vector_store.file' },
  },
  { route: 'GET /vector_stores/{vector_store_id}/files', expected: { object: 'list' } },
  {
    route: 'GET /vector_stores/{vector_store_id}/files/{file_id}',
    expected: { object: 'vector_store.file', status: 'completed' },
  },
  {
    route: 'GET /vector_stores/{vector_store_id}/files/{file_id}/content',
    expected: { data: [{ text: expect.stringContaining('the sea') }] },
  },
  {
    route: 'GET /vector_stores/{vector_store_id}/files/{file_id}/vectors',
    // A header in JSON, then numbers.
    expected: expect.stringContaining('"dimensions":'),
  },
  {
    route: 'POST /vector_stores/{vector_store_id}/files/{file_id}',
    body: { attributes: { a: 1 } },
    expected: { attributes: { a: 1 } },
  },
  {
    route: 'POST /vector_stores/{vector_store_id}/search',
    body: { query: 'whales', filters: { type: 'eq', key: 'a', value: 1 } },
    expected: { data: [{ filename: 'whales.json' }] },
  },
  {
    route: 'POST /vector_stores/{vector_store_id}/file_batches',
    body: { file_ids: ['{file_id}'] },
    expected: { object: 'vector_store.files_batch' },
    variable: '{batch_id}',
  },
  {
    route: 'GET /vector_stores/{vector_store_id}/file_batches/{batch_id}',
    expected: { status: 'completed', file_counts: { total: 1 } },
  },
  { route: 'GET /vector_stores/{vector_store_id}/file_batches/{batch_id}/files', expected: { object: 'list' } },
  {
    route: 'POST /vector_stores/{vector_store_id}/file_batches/{batch_id}/cancel',
    body: {},
    expected: { object: 'vector_store.files_batch' },
  },
  { route: 'DELETE /vector_stores/{vector_store_id}/files/{file_id}', expected: { deleted: true } },
  { route: 'DELETE /vector_stores/{vector_store_id}', expected: { deleted: true } },
  { route: 'DELETE /files/{file_id}', expected: { deleted: true } },
  { route: 'GET /openapi.json', expected: { openapi: '3.1.0' } },
];

test('every route in the OpenAPI document answers a page @core', async ({ site }) => {
  const { paths } = (await call(site, 'GET', '/openapi.json')).body as Description;
  const described = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((member) => member !== 'parameters')
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(CALLS.map(({ route }) => route).toSorted()).toEqual(described.toSorted());

  const ids = new Map([['{model}', 'pocket']]);
  const named = (text: string) => text.replaceAll(/\{\w+\}/g, (name) => ids.get(name) ?? name);
  for (const { route, body, form, expected, variable } of CALLS) {
    const [method = '', path = ''] = route.split(' ');
    const given = body && (JSON.parse(named(JSON.stringify(body))) as object);
    const ask = () => call(site, method, named(path), given, form);
    let answer = await ask();
    // A file is indexed after the response to the request that adds it.
    if (method === 'GET') while (isBeingIndexed(answer.body)) answer = await ask();
    expect(answer, route).toMatchObject({ status: 200, body: expected });
    if (variable !== undefined) ids.set(variable, (answer.body as { id: string }).id);
  }
});

function isBeingIndexed(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'status' in body && body.status === 'in_progress';
}

/** Sends a request from the page. If it has a body, the built-in model is added; a form gets a file. */
function call(
  page: Page,
  method: string,
  path: string,
  body?: object,
  form?: Readonly<Record<string, string>>,
): Promise<{ status: number; body: unknown }> {
  return page.evaluate(
    async ({ method, path, body, form }) => {
      const upload = new FormData();
      for (const [name, value] of Object.entries(form ?? {})) upload.set(name, value);
      upload.set('file', new File([JSON.stringify({ whales: 'the sea' })], 'whales.json'));
      const response = await fetch(`/v1${path}`, {
        method,
        headers: { authorization: 'Bearer local', ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify({ model: 'pocket', ...body }) }),
        ...(form && { body: upload }),
      });
      const text = await response.text();
      let parsed: unknown = text;
      try {
        parsed = JSON.parse(text);
      } catch {
        // Vectors are not JSON.
      }
      return { status: response.status, body: parsed };
    },
    { method, path, body, form },
  );
}
