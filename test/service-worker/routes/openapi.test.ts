import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { CallEngine } from '../../../src/shared/engine/engine.ts';
import { DocumentEndpoint } from '../../support/fakes/document-endpoint.ts';
import { StoppableEndpoint, SITE } from '../../support/fakes/stoppable-endpoint.ts';
import type { FieldTable } from '../../../src/service-worker/request/read-fields.ts';
import { ROUTE_FIELDS } from '../support/route-fields.ts';
import { FIELD_CASES, type FieldCases } from '../support/field-cases.ts';
import { createTestApp, GOOD_BODY, MODELS, type TestApp } from '../support/test-app.ts';

interface Content {
  readonly content: Readonly<Record<string, { readonly schema: object }>>;
}

interface Operation {
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface Document {
  readonly openapi: string;
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const ajv = new Ajv2020({ strict: false });
let app: TestApp;
let description: Document;

beforeAll(async () => {
  const callEngine = (async (name: string) =>
    name === 'models/tokenize' ? { tokens: [1], pieces: null } : 'text') as CallEngine;
  const vectors = { ...MODELS[0]!, id: 'vectors', embedding: { dimensions: 2 } };
  app = createTestApp({ callEngine, models: async () => [...MODELS, vectors] });
  description = (await (await app.send('/openapi.json')).json()) as Document;
});

const requestSchema = (path: string): object =>
  description.paths[path]!['post']!.requestBody!.content['application/json']!.schema;

const isValid = (schema: object, value: unknown): boolean => ajv.validate(schema, value);

/** The methods of a path, in capitals. */
const methodsOf = (item: object): string[] =>
  Object.keys(item)
    .filter((member) => member !== 'parameters')
    .map((method) => method.toUpperCase());

const paths = () => Object.keys(description.paths);

test('every described path has exactly the described methods', async () => {
  expect(description).toMatchObject({ openapi: '3.1.0', servers: [{ url: '/v1' }] });
  expect(paths().length).toBeGreaterThan(10);
  for (const [path, item] of Object.entries(description.paths)) {
    const { headers } = await app.send(path.replaceAll(/\{.*?\}/g, 'some'), { method: 'OPTIONS' });
    const methods = methodsOf(item);
    const heads = methods.includes('GET') ? ['HEAD'] : [];
    expect(headers.get('allow')?.split(', ').toSorted()).toEqual([...methods, ...heads, 'OPTIONS'].toSorted());
  }
});

describe.each(Object.entries<FieldCases>(FIELD_CASES))(
  '%s of a chat completion',
  (field, { fallback, accepted, refused }) => {
    const fits = (value: unknown, beside: object = {}) => {
      const body = JSON.parse(JSON.stringify({ ...GOOD_BODY, ...beside, [field]: value })) as object;
      return isValid(requestSchema('/chat/completions'), body);
    };

    test('accepts in its schema all accepted values', () => {
      expect(accepted.filter(({ value, beside }) => !fits(value, beside))).toEqual([]);
      expect(fits(null)).toBe(fallback !== null);
    });

    test('rejects in its schema values of another type or out of bounds', () => {
      const schema = propertyOf(field) ?? {};
      const codes = /^(integer|decimal)_(above|below)|^invalid_type$/;
      const wrong = refused.filter(
        ({ code, param, beside }) => codes.test(code) && !param && Object.keys(beside ?? {}).length === 0,
      );
      const taken = wrong.filter(({ value }) => fits(value));
      expect(Object.keys(schema).length === 0 ? [] : taken).toEqual([]);
    });
  },
);

function propertyOf(field: string): object | undefined {
  const { properties } = requestSchema('/chat/completions') as { properties: Record<string, object> };
  return properties[field];
}

test.each([
  ['/completions', { model: 'pocket', prompt: ['a', 'b'], n: 2, stop: 'x' }, { model: 'pocket' }],
  ['/completions', { model: 'pocket', prompt: null, logprobs: 20 }, { model: 'pocket', prompt: 'a', logprobs: 21 }],
  ['/responses', { model: 'pocket', input: 'Hi', store: false }, { model: 'pocket', temperature: 3 }],
  ['/responses/input_tokens', { input: 'Hi' }, { model: 'pocket', input: 7 }],
  ['/responses/compact', { model: 'pocket', input: 'Hi' }, { input: 'Hi' }],
  ['/messages', { ...GOOD_BODY, max_tokens: 9, top_k: 5 }, GOOD_BODY],
  ['/messages/count_tokens', GOOD_BODY, { ...GOOD_BODY, messages: [] }],
  ['/rerank', { query: 'a', documents: ['b', { text: 'c' }], top_n: 1 }, { query: 'a', documents: [] }],
  ['/embeddings', { model: 'vectors', input: ['a'] }, { model: 'vectors', input: [] }],
  ['/embeddings', { model: 'vectors', input: ['a', 'b'] }, { model: 'vectors', input: [[1]] }],
  ['/embeddings', { model: 'vectors', input: 'a' }, { model: 'vectors', input: [''] }],
  ['/chat/completions', { ...GOOD_BODY, logit_bias: { 1: 1 } }, { ...GOOD_BODY, logit_bias: { '01': 1 } }],
  [
    '/responses',
    { model: 'pocket', input: 'Hi', store: false },
    { model: 'pocket', input: 'Hi', safety_identifier: 7 },
  ],
  ['/tokenize', { messages: GOOD_BODY.messages }, { messages: [null] }],
  ['/tokenize', { messages: GOOD_BODY.messages }, { messages: [{ content: 'a' }] }],
  ['/tokenize', { content: 'a', with_pieces: true }, { content: 1 }],
  ['/detokenize', { tokens: [1] }, {}],
])('%s accepts %j and not %j, as described', async (path, good, bad) => {
  const schema = requestSchema(path);
  expect([isValid(schema, good), isValid(schema, bad)]).toEqual([true, false]);
  const send = (body: object) => app.send(path, { method: 'POST', body: JSON.stringify(body) });
  expect([(await send(good)).status, (await send(bad)).status]).toEqual([200, 400]);
});

test.each([
  ['/chat/completions', { messages: GOOD_BODY.messages }],
  ['/completions', { prompt: 'a' }],
  ['/responses', { input: 'Hi', store: false }],
])('%s requires a model, as described, unless the site has a default one', async (path, body) => {
  for (const defaultModel of [null, 'pocket']) {
    const site = createTestApp({ settings: { defaultModel } });
    const { paths } = (await (await site.send('/openapi.json')).json()) as Document;
    const { schema } = paths[path]!['post']!.requestBody!.content['application/json']!;
    for (const given of [body, { ...body, model: null }]) {
      const response = await site.send(path, { method: 'POST', body: JSON.stringify(given) });
      expect([response.status, isValid(schema, given)]).toEqual(defaultModel === null ? [400, false] : [200, true]);
      await response.body?.cancel();
    }
    expect(isValid(schema, { ...body, model: 7 })).toBe(false);
    expect(isValid(schema, { ...body, model: 'pocket' })).toBe(true);
  }
});

test.each<[string, FieldTable]>([
  ['/chat/completions', ROUTE_FIELDS.chat],
  ['/completions', ROUTE_FIELDS.completions],
  ['/responses', ROUTE_FIELDS.responses],
  ['/messages', ROUTE_FIELDS.messages],
  ['/embeddings', ROUTE_FIELDS.embeddings],
])('%s describes every field, and why some have no effect', (path, fields) => {
  const { properties } = requestSchema(path) as { properties: Record<string, object> };
  expect(Object.keys(properties).toSorted()).toEqual(Object.keys(fields).toSorted());
  const ignored = Object.entries(fields).flatMap(([name, { because }]) =>
    because === undefined ? [] : [[name, because]],
  );
  expect(ignored.length).toBeGreaterThan(0);
  for (const [name = '', because] of ignored)
    expect(JSON.stringify(properties[name])).toContain(JSON.stringify(because).slice(1, -1));
});

/** Deletions come last, those of inner objects first. */
function orderOf([path, method]: readonly [string, string]): number {
  return method === 'DELETE' ? 100 - path.length / 100 : 0;
}

/** Sends a request to each operation on files and vector stores, and checks each response against its schema. */
async function answersAboutDocuments({ paths }: Document): Promise<Map<string, unknown>> {
  const documents = new DocumentEndpoint();
  const { store, files } = await documents.filled({ 'a.txt': 'Whales.', 'b.txt': 'Bread.' });
  const [file] = files;
  const batches = `/vector_stores/${store}/file_batches`;
  const { id: batch } = await documents.json<{ id: string }>('POST', batches, { file_ids: files });
  await documents.indexed(store);
  const named = (path: string) =>
    path.replace('{file_id}', file!).replace('{vector_store_id}', store).replace('{batch_id}', batch);
  const bodies: Readonly<Record<string, object>> = {
    '/vector_stores/{vector_store_id}/search': { query: 'a' },
    '/vector_stores/{vector_store_id}/files': { file_id: file },
    '/vector_stores/{vector_store_id}/files/{file_id}': { attributes: { a: 1 } },
    '/vector_stores/{vector_store_id}/file_batches': { file_ids: files },
  };
  const answers = new Map<string, unknown>();
  const routes = Object.entries(paths).flatMap(([path, item]) =>
    /^\/(files|vector_stores)/.test(path) ? methodsOf(item).map((method) => [path, method] as const) : [],
  );
  for (const [path, method] of routes.toSorted((one, other) => orderOf(one) - orderOf(other))) {
    await documents.indexed(store);
    const response =
      path === '/files' && method === 'POST'
        ? await documents.upload('a')
        : await documents.app.send(named(path), {
            method,
            ...(method === 'POST' && { body: JSON.stringify(bodies[path] ?? {}) }),
          });
    const { content } = paths[path]![method.toLowerCase()]!.responses[response.ok ? '200' : 'default']!;
    const [type, { schema }] = Object.entries(content)[0]!;
    const answer: unknown = type === 'application/json' ? await response.json() : await response.text();
    answers.set(`${method} ${path} ${response.status}`, {
      valid: isValid(schema, answer),
      described: Object.keys(schema).length > 0,
    });
  }
  return answers;
}

test('real responses and errors of every operation match their schemas', async () => {
  const endpoint = StoppableEndpoint.ofPage();
  endpoint.engine.runFreely();
  onTestFinished(() => {
    endpoint.close();
    vi.unstubAllGlobals();
  });
  const headers = { authorization: 'Bearer local', 'content-type': 'application/json' };
  const answers = new Map<string, unknown>();
  const ask = async (path: string, method: string, id: string, body?: object) => {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
    // Stored answers need an engine that writes their log.
    const response = path.includes('token')
      ? await app.send(path, init)
      : await endpoint.fetch(`${SITE}v1${path.replace(/\{.*\}/, id)}`, { ...init, headers });
    const answer = (await response.json()) as { id: string };
    const operation = description.paths[path]![method.toLowerCase()]!;
    const { schema } = operation.responses[response.ok ? '200' : 'default']!.content['application/json']!;
    answers.set(`${method} ${path} ${response.status}`, {
      valid: isValid(schema, answer),
      described: Object.keys(schema).length > 0,
    });
    return answer;
  };
  const chat = await ask('/chat/completions', 'POST', '', { ...GOOD_BODY, model: 'a', store: true });
  await ask('/chat/completions', 'GET', '');
  await ask('/chat/completions/{completion_id}', 'GET', chat.id);
  await ask('/chat/completions/{completion_id}', 'POST', chat.id, { metadata: {} });
  await ask('/chat/completions/{completion_id}/messages', 'GET', chat.id);
  await ask('/chat/completions/{completion_id}', 'DELETE', chat.id);
  await ask('/completions', 'POST', '', { model: 'a', prompt: 'a' });
  const response = await ask('/responses', 'POST', '', { model: 'a', input: 'Hi', background: true });
  await ask('/responses/input_tokens', 'POST', '', { input: 'Hi' });
  await ask('/responses/compact', 'POST', '', { model: 'a', input: 'Hi' });
  await ask('/responses/{response_id}', 'GET', response.id);
  await ask('/responses/{response_id}/input_items', 'GET', response.id);
  await ask('/responses/{response_id}/cancel', 'POST', response.id);
  await ask('/responses/{response_id}', 'DELETE', response.id);
  await ask('/messages', 'POST', '', { ...GOOD_BODY, model: 'a', max_tokens: 9 });
  await ask('/messages/count_tokens', 'POST', '', GOOD_BODY);
  await ask('/embeddings', 'POST', '', { model: 'vectors', input: 'a' });
  await ask('/rerank', 'POST', '', { model: 'vectors', query: 'a', documents: ['b'] });
  await ask('/tokenize', 'POST', '', { content: 'a' });
  await ask('/detokenize', 'POST', '', { tokens: [1] });
  await ask('/health', 'GET', '');
  await ask('/props', 'GET', '');
  await ask('/models', 'GET', '');
  await ask('/models/{model}', 'GET', 'a');
  await ask('/openapi.json', 'GET', '');
  for (const [route, answer] of await answersAboutDocuments(description)) answers.set(route, answer);
  const operations = Object.entries(description.paths).flatMap(([path, item]) =>
    methodsOf(item).map((method) => `${method} ${path} 200`),
  );
  expect([...answers.keys()].toSorted()).toEqual(operations.toSorted());
  await ask('/models/{model}', 'GET', 'nobody');
  await ask('/completions', 'POST', '', {});
  expect([...answers].filter(([, outcome]) => JSON.stringify(outcome) !== '{"valid":true,"described":true}')).toEqual(
    [],
  );
});
