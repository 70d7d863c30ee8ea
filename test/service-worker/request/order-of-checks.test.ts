import { expect, test } from 'vitest';
import type { ApiErrorCode } from '../../../src/shared/api-error.ts';
import { ApiError } from '../../../src/shared/api-error.ts';
import { readError } from '../support/read-error.ts';
import { answerIn } from '../support/scripted-service.ts';
import { createTestApp, GOOD_BODY, ORIGIN } from '../support/test-app.ts';

interface Parts {
  mode: RequestMode;
  path: string;
  method: string;
  authorization: string;
  contentType: string;
  body: string;
  engine: ApiErrorCode | null;
}

const json = (fields: object): string => JSON.stringify({ ...GOOD_BODY, ...fields });
const picture = [{ role: 'user', content: [{ type: 'image_url', image_url: 'data:image/png;base64,AAAA' }] }];

/** A request with every fault. Each step is the reported error and the fix of that fault alone. */
const ALL_WRONG: Parts = {
  mode: 'navigate',
  path: '/v1/nowhere',
  method: 'PUT',
  authorization: 'Basic x',
  contentType: 'text/plain',
  body: '{'.repeat(4000),
  engine: 'gpu_unavailable',
};
const STEPS: readonly (readonly [status: number, code: ApiErrorCode, mend: Partial<Parts>])[] = [
  [403, 'forbidden_request', { mode: 'cors' }],
  [404, 'unknown_url', { path: '/v1/chat/completions' }],
  [401, 'missing_api_key', { authorization: 'Bearer wrong' }],
  [401, 'invalid_api_key', { authorization: 'Bearer local' }],
  [405, 'method_not_supported', { method: 'POST' }],
  [415, 'unsupported_content_type', { contentType: 'application/json' }],
  [413, 'request_too_large', { body: '{' }],
  [400, 'invalid_json', { body: '[]' }],
  [400, 'invalid_type', { body: json({ model: 'nobody', messages: picture, temperature: 9 }) }],
  [400, 'decimal_above_max_value', { body: json({ model: 'nobody', messages: picture }) }],
  [404, 'model_not_found', { body: json({ messages: picture }) }],
  [400, 'unsupported_value', { body: json({}) }],
  [503, 'gpu_unavailable', { engine: 'rate_limit_exceeded' }],
  [429, 'rate_limit_exceeded', { engine: 'context_length_exceeded' }],
  [400, 'context_length_exceeded', { engine: null }],
];

test.each([false, true])('only the first failure is reported, as a status, with stream: %s', async (stream) => {
  const app = createTestApp({ settings: { maxBodyBytes: 2000 } });
  const parts = { ...ALL_WRONG };
  const send = async (): Promise<Response> => {
    const body = stream ? parts.body.replace(/^\{"/, '{"stream":true,"') : parts.body;
    const headers = { authorization: parts.authorization, 'content-type': parts.contentType };
    const request = new Request(ORIGIN + parts.path, { method: parts.method, headers, body });
    Object.defineProperty(request, 'mode', { value: parts.mode });
    if (parts.engine !== null)
      app.service.play([{ type: 'error', error: new ApiError(parts.engine, 'Refused.').toData() }]);
    return app.fetch(request);
  };
  for (const [status, code, mend] of STEPS) {
    const { error } = (await (await send()).json()) as { error: { code: string } };
    expect(error.code).toBe(code);
    expect((await send()).status).toBe(status);
    Object.assign(parts, mend);
  }
  expect(app.service.completions, 'only what passed every check reached the engine').toHaveLength(6);
  app.service.play(answerIn('Hello.'));
  expect((await send()).status).toBe(200);
});

const BODY = JSON.stringify(GOOD_BODY);

test.each([
  'application/json',
  'Application/JSON; Charset=UTF-8',
  'application/vnd.api+json',
  'text/x+json;v=1',
  'application/json;',
])('the type %s is JSON', async (type) => {
  expect((await createTestApp().chat(BODY, { headers: { 'content-type': type } })).status).toBe(200);
});

test('a missing content type counts as JSON', async () => {
  const body = new TextEncoder().encode(BODY);
  const request = new Request(`${ORIGIN}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer local' },
    body,
  });
  expect(request.headers.has('content-type')).toBe(false);
  expect((await createTestApp().fetch(request)).status).toBe(200);
});

test.each([
  'text/plain',
  'text/plain;charset=UTF-8',
  'application/jsonx',
  'application/json-patch',
  'json',
  'multipart/form-data; boundary=json',
])('the type %s is not JSON', async (type) => {
  const error = await readError(await createTestApp().chat(BODY, { headers: { 'content-type': type } }));
  expect(error).toMatchObject({ status: 415, code: 'unsupported_content_type', param: null });
  expect(error.message).toContain('application/json');
});

test.each([
  ['', 'it is empty'],
  [' ', 'it ends too soon, at line 1, column 2'],
  ['{', 'it ends too soon, at line 1, column 2'],
  ['{"model":}', '"}" is unexpected at line 1, column 10'],
  ["{'model':1}", '"\'" is unexpected at line 1, column 2'],
  ['{"a":1}x', '"x" is unexpected at line 1, column 8'],
  ['NaN', '"N" is unexpected at line 1, column 1'],
  ['undefined', '"u" is unexpected at line 1, column 1'],
  ['{\n  "a": 1,\n  "b": 2,\n}', '"}" is unexpected at line 4, column 1'],
  ['{"a": [1, 2,]}', '"]" is unexpected at line 1, column 13'],
  ['{"a" 1}', '"1" is unexpected at line 1, column 6'],
  ['{"a": 1 "b": 2}', '"\\"" is unexpected at line 1, column 9'],
  ['{"a": "line\nbreak"}', '"\\n" is unexpected at line 1, column 12'],
  ['{"a": "b\\x"}', '"\\\\" is unexpected at line 1, column 9'],
  ['{"a": "open', 'it ends too soon, at line 1, column 12'],
  ['{"a": 01}', '"1" is unexpected at line 1, column 8'],
  ['{"a": 1.}', '"." is unexpected at line 1, column 8'],
  ['{"a": [1}', '"}" is unexpected at line 1, column 9'],
  ['{"a": tru}', '"t" is unexpected at line 1, column 7'],
  ['{"a": "你好", 😀}', '"😀" is unexpected at line 1, column 13'],
  ['{"a": 1} // why', '"/" is unexpected at line 1, column 10'],
  [`{"a": ${'['.repeat(50_000)}`, 'it ends too soon, at line 1, column 50007'],
])('the body %j is not JSON, and the message says where', async (body, where) => {
  const error = await readError(await createTestApp().chat(body));
  expect(error).toMatchObject({ status: 400, code: 'invalid_json', param: null });
  expect(error.message).toContain(`but ${where}.`);
});

test('a body of 19 MB that is not JSON is described like a small one', async () => {
  const body = `{"a":"${'x'.repeat(19e6)}",}`;
  const error = await readError(await createTestApp().chat(body));
  expect(error).toMatchObject({ status: 400, code: 'invalid_json' });
  expect(error.message).toContain('but "}" is unexpected at line 1, column 19000009.');
});

test.each([
  [[0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d], 'byte 3 of it is not UTF-8'],
  [[0x7b, 0x22, 0xc3, 0xa4, 0xe4, 0x22], 'byte 5 of it is not UTF-8'],
  [[0x7b, 0x22, 0xc3], 'byte 3 of it is not UTF-8'],
  [[0x80], 'byte 1 of it is not UTF-8'],
  [[0x22, 0xef, 0xbf, 0xbd, 0xf0, 0x9f, 0x98, 0x22], 'byte 5 of it is not UTF-8'],
])('the body %j is not UTF-8, and the message says where', async (bytes, where) => {
  const body = new Uint8Array(bytes);
  const error = await readError(await createTestApp().send('/chat/completions', { method: 'POST', body }));
  expect(error).toMatchObject({ status: 400, code: 'invalid_json' });
  expect(error.message).toContain(`but ${where}.`);
});

test('a byte order mark is ignored', async () => {
  expect((await createTestApp().chat(`\uFEFF${BODY}`)).status).toBe(200);
});

test.each(['null', '1', '"text"', '[]', 'true'])('the body %s is not an object', async (body) => {
  expect(await readError(await createTestApp().chat(body))).toMatchObject({
    status: 400,
    code: 'invalid_type',
    param: null,
  });
});

const padded = (bytes: number): string => BODY + ' '.repeat(bytes - BODY.length);
const MEBIBYTE = 1024 * 1024;

test('a body of exactly 20 MiB passes, one byte more does not', async () => {
  const app = createTestApp();
  expect((await app.chat(padded(20 * MEBIBYTE))).status).toBe(200);
  expect(await readError(await app.chat(padded(20 * MEBIBYTE + 1)))).toMatchObject({
    status: 413,
    code: 'request_too_large',
    param: null,
  });
});

test('an endless body is rejected at the limit', async () => {
  let cancelled = false;
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024)),
    cancel() {
      cancelled = true;
    },
  });
  const init = { method: 'POST', body, duplex: 'half' };
  expect(await readError(await createTestApp().send('/chat/completions', init))).toMatchObject({ status: 413 });
  expect(cancelled).toBe(true);
});
