import { expect, type Page } from '@playwright/test';
import { test } from '../../support/pages/shared-site.ts';

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** A request for every route of the endpoint, in an order in which each finds what it needs. */
const CALLS: readonly {
  readonly route: string;
  readonly body?: object;
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
  for (const { route, body, expected, variable } of CALLS) {
    const [method = '', path = ''] = route.split(' ');
    const address = path.replace(/\{.*?\}/, (name) => ids.get(name) ?? name);
    const answer = await call(site, method, address, body);
    expect(answer, route).toMatchObject({ status: 200, body: expected });
    if (variable !== undefined) ids.set(variable, (answer.body as { id: string }).id);
  }
});

/** Sends a request from the page. If it has a body, the built-in model is added. */
function call(page: Page, method: string, path: string, body?: object): Promise<{ status: number; body: unknown }> {
  return page.evaluate(
    async ({ method, path, body }) => {
      const response = await fetch(`/v1${path}`, {
        method,
        headers: { authorization: 'Bearer local', ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify({ model: 'pocket', ...body }) }),
      });
      return { status: response.status, body: (await response.json()) as unknown };
    },
    { method, path, body },
  );
}
