import { describe, expect, test } from 'vitest';
import type { CallEngine } from '../../../src/shared/engine/engine.ts';
import { ROUTES } from '../../../src/service-worker/routes/routes.ts';
import { Random } from '../../schema-proof/random.ts';
import { MemoryAnswers } from '../../support/fakes/memory-answers.ts';
import { createTestApp, MODELS } from '../support/test-app.ts';

const deep = (open: string, close: string) => `${open.repeat(20_000)}1${close.repeat(20_000)}`;

/** Values that no field expects, as JSON texts. */
const VALUES = [
  ...['null', 'true', '-0', '1e999', '-1', '9007199254740993', '""', '[]', '{}', '[[]]', '[null]', '{"":{}}'],
  ...['"\\u0000"', '"\\ud800"', '"__proto__"', '"../../etc/passwd"', '"<script>"', '"\\u202e"', '[1,"a",null,{}]'],
  deep('[', ']'),
  deep('{"a":', '}'),
  JSON.stringify('x'.repeat(100_000)),
  JSON.stringify(Array.from({ length: 3000 }, () => ({ role: 'user', content: [{ type: 'text' }] }))),
];

/** Fields that most routes do not have, or have with another meaning. */
const NAMES = ['', '__proto__', 'constructor', 'toString', 'model', 'messages', 'input', 'stream', 'tools', 'metadata'];

const HEADERS: readonly Readonly<Record<string, string>>[] = [
  {},
  { 'content-type': 'text/plain' },
  { 'content-type': 'multipart/form-data; boundary=x' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-encoding': 'gzip' },
  { authorization: 'Basic bG9jYWw6' },
  { authorization: `Bearer ${'x'.repeat(10_000)}` },
  { 'x-api-key': 'local', authorization: '' },
  { 'anthropic-version': '2023-06-01' },
  { 'x-stainless-timeout': '-5' },
  { 'x-tabserve-stream-id': '../x' },
  { 'content-length': '5' },
];

const QUERIES = [
  '',
  '?limit=-1',
  '?after=%00',
  '?stream=true&starting_after=NaN',
  '?order=sideways',
  '?state[]=all',
  '?%',
];
const IDS = ['pocket', 'resp_1', '%2e%2e', '%00', '%ff', 'a'.repeat(5000), '__proto__', '💥', '%2F%2F'];

function hostileBody(random: Random, fields: readonly string[]): string | Uint8Array<ArrayBuffer> {
  const member = () => `"${random.of([...fields, ...fields, ...NAMES])}":${random.of(VALUES)}`;
  const members = Array.from({ length: 1 + random.below(4) }, member);
  if (random.once(2)) members.unshift('"model":"pocket"');
  const object = `{${members.join(',')}}`;
  return random.of([
    object,
    object,
    object,
    random.of(VALUES),
    object.slice(0, random.below(Math.min(object.length, 200))),
    `${object}}`,
    `\ufeff${object}`,
    object.replace('{', "{'a':1,"),
    new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]),
    new Uint8Array([0x1f, 0x8b, 0x08, 0x00]),
  ]);
}

const ADDRESSES = ROUTES.flatMap((item) => [
  ...(['GET', 'POST', 'DELETE'] as const)
    .filter((method) => item[method] !== undefined)
    .map((method) => ({
      name: `${method} ${item.path}`,
      method,
      path: item.path,
      fields: Object.keys(item[method]?.fields ?? {}),
    })),
]);

test('hostile requests go to every route', () => {
  expect(ADDRESSES.length).toBeGreaterThan(20);
});

describe.each(ADDRESSES)('$name', ({ method, path, fields }) => {
  test.each([1, 2, 3])(
    'answers hostile requests with what it serves or with a sentence in the form of its API, in row %i',
    async (seed) => {
      const random = new Random(seed * 1000 + path.length);
      const vectors = { ...MODELS[0]!, id: 'vectors', embedding: { dimensions: 2 } };
      const callEngine = (async (name) =>
        name === 'models/tokenize' ? { tokens: [1], pieces: null } : 'a') as CallEngine;
      const models = async () => [...MODELS, vectors];
      const app = createTestApp({ models, callEngine, answers: new MemoryAnswers() });
      for (let round = 0; round < 6; round++) {
        const address = path.replace(/\{.*?\}/, () => random.of(IDS)) + random.of(QUERIES);
        const headers = random.of(HEADERS);
        const sent = method === 'GET' ? {} : { body: hostileBody(random, fields) };
        const response = await app.send(address, { method, headers, ...sent });
        const text = await response.text();
        const request = JSON.stringify({ address, headers, body: String(sent.body ?? '').slice(0, 300) });
        expect(response.status, `${request} → ${text.slice(0, 300)}`).toBeLessThan(500);
        if (response.status < 400) continue;
        const speaksMessages = path.startsWith('/messages') || 'anthropic-version' in headers;
        const { error, ...rest } = JSON.parse(text) as { error: { message: string } };
        expect(error.message, request).toMatch(/^[A-Z`][^]{10,1500}[.!?]$/);
        if (speaksMessages) {
          expect(rest, request).toEqual({ type: 'error', request_id: response.headers.get('request-id') });
          expect(error, request).toHaveProperty('type', expect.stringMatching(/_(?:error|large)$/));
        } else {
          expect(rest, request).toEqual({});
          expect(Object.keys(error).toSorted(), request).toEqual(['code', 'message', 'param', 'type']);
        }
      }
    },
  );
});
