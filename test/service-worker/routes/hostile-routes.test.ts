import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { CallEngine } from '../../../src/shared/engine/engine.ts';
import { ROUTES } from '../../../src/service-worker/routes/routes.ts';
import { Random } from '../../schema-proof/random.ts';
import { DocumentEndpoint } from '../../support/fakes/document-endpoint.ts';
import { MemoryAnswers } from '../../support/fakes/memory-answers.ts';
import { createTestApp, MODELS } from '../support/test-app.ts';

const deep = (open: string, close: string) => `${open.repeat(20_000)}1${close.repeat(20_000)}`;

/** Values that no field expects, as JSON texts. */
const VALUES = [
  ...'null true -0 1e999 -1 9007199254740993 "" [] {} [[]] [null] {"":{}} "\\u0000" "\\ud800" "__proto__" "../../a" "<script>" [1,"a",{}]'.split(
    ' ',
  ),
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

const SENTENCE = /^[A-Z`][^]{10,1500}[.!?]$/;

/** Returns what is wrong with a response; null if it is no server error, and an error is a sentence in its API's form. */
function findFault({ status, headers }: Response, text: string, speaksMessages: boolean): string | null {
  if (status >= 500) return `${status}: ${text}`;
  if (status < 400) return null;
  const { error, ...rest } = JSON.parse(text) as { error: { type: string; message: string } };
  const members = Object.keys(error).filter((name) => name !== 'details');
  const form = speaksMessages
    ? { type: 'error', request_id: headers.get('request-id'), error: ['message', 'type'] }
    : { error: ['code', 'message', 'param', 'type'] };
  const found = { ...rest, error: members.toSorted() };
  const isForm = isDeepStrictEqual(found, form) && /_(?:error|large|requests)$/.test(error.type);
  return isForm && SENTENCE.test(error.message) ? null : text;
}

const ADDRESSES = ROUTES.flatMap((item) => {
  const methods = (['GET', 'POST', 'DELETE'] as const).filter((method) => item[method] !== undefined);
  return methods.map((method) => ({
    name: `${method} ${item.path}`,
    method,
    path: item.path,
    fields: Object.keys(item[method]?.fields ?? {}),
  }));
});

test('hostile requests go to every route', () => {
  expect(ADDRESSES.length).toBeGreaterThan(20);
});

describe.each(ADDRESSES)('$name', ({ method, path, fields }) => {
  test.each([1, 2, 3])(
    'answers hostile requests with what it serves or with a sentence in the form of its API, in row %i',
    async (seed) => {
      const random = new Random(seed * 1000 + path.length);
      const vectors = { ...MODELS[0]!, id: 'vectors', embedding: { dimensions: 2 } };
      const documents = new DocumentEndpoint();
      const callEngine = (async (name, ...parameters) => {
        if (!name.startsWith('models/')) return documents.callEngine(name, ...parameters);
        return name === 'models/tokenize' ? { tokens: [1], pieces: null } : 'a';
      }) as CallEngine;
      const models = async () => [...MODELS, vectors];
      const app = createTestApp({ models, callEngine, answers: new MemoryAnswers() });
      for (let round = 0; round < 6; round++) {
        const address = path.replaceAll(/\{.*?\}/g, () => random.of(IDS)) + random.of(QUERIES);
        const headers = random.of(HEADERS);
        const sent = method === 'GET' ? {} : { body: hostileBody(random, fields) };
        const response = await app.send(address, { method, headers, ...sent });
        const text = await response.text();
        const sentBytes = String(sent.body ?? '').slice(0, 300);
        const fault = findFault(response, text, path.startsWith('/messages') || 'anthropic-version' in headers);
        expect({ address, headers, sentBytes, fault }).toEqual({ address, headers, sentBytes, fault: null });
      }
    },
  );
});
