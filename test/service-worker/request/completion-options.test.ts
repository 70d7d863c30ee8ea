import { expect, test } from 'vitest';
import type { CompletionOptions } from '../../../src/shared/engine/engine.ts';
import { readError } from '../support/read-error.ts';
import { createTestApp, GOOD_BODY } from '../support/test-app.ts';

const SEND = { method: 'POST', body: JSON.stringify(GOOD_BODY) };

async function options(
  init: RequestInit = {},
  clientId = 'page-1',
  path = '/chat/completions',
): Promise<CompletionOptions> {
  const app = createTestApp();
  await app.send(path, { ...SEND, ...init }, { clientId });
  return app.service.completions[0]!.options;
}

test('a request that the browser repeats keeps its fingerprint and gets another id', async () => {
  const [one, two] = [await options(), await options()];
  expect(one.fingerprint).toMatch(/^[0-9a-f]{64}$/);
  expect(two.fingerprint).toBe(one.fingerprint);
  expect(two.requestId).not.toBe(one.requestId);
});

test('requests of different clients, paths, keys or bodies have different fingerprints', async () => {
  const different = await Promise.all([
    options(),
    options({}, 'page-2'),
    options({}, 'page-1', '/chat/completions/'),
    options({ headers: { authorization: 'Bearer narrow' }, body: JSON.stringify({ ...GOOD_BODY, model: 'org/seer' }) }),
    options({ body: JSON.stringify({ ...GOOD_BODY, model: 'org/seer' }) }),
    options({ body: `${SEND.body} ` }),
  ]);
  expect(new Set(different.map(({ fingerprint }) => fingerprint)).size).toBe(different.length);
});

test('the id of the request is the one in the response', async () => {
  const app = createTestApp();
  const response = await app.chat(GOOD_BODY);
  expect(response.headers.get('x-request-id')).toBe(app.service.completions[0]!.options.requestId);
});

test.each([
  [null, null],
  ['600', 540_000],
  ['60', 54_000],
  ['10', 9_000],
  ['0.5', 450],
  ['0', null],
  ['-1', null],
  ['Infinity', null],
  ['soon', null],
  ['', null],
])('a client with a timeout of %s seconds waits %s ms while its model is loaded', async (seconds, held) => {
  const { holdTime } = await options(seconds === null ? {} : { headers: { 'x-stainless-timeout': seconds } });
  expect(holdTime).toBe(held);
});

const ID = 'b1946ac9-2492-4d23-8d0f-1ad3b4a8f6a1';
const named = (headers: Record<string, string>) => ({ headers: { 'x-tabserve-stream-id': ID, ...headers } });

test.each([
  [named({}), { id: ID, outlives: 'service-worker', joinsOnly: false }],
  [named({ 'x-tabserve-outlives': 'page' }), { id: ID, outlives: 'page', joinsOnly: false }],
  [named({ 'x-tabserve-last-event': '-1' }), { id: ID, outlives: 'service-worker', joinsOnly: true }],
  [named({ 'x-tabserve-last-event': '12' }), { id: ID, outlives: 'service-worker', joinsOnly: true }],
  [{ headers: { 'x-tabserve-last-event': '12', 'x-tabserve-outlives': 'page' } }, undefined],
])('the headers %j determine how an answer can be found again', async (init, resumable) => {
  expect((await options(init)).resumable).toEqual(resumable);
});

test.each([
  ['x-tabserve-stream-id', 'short'],
  ['x-tabserve-stream-id', `${ID} ${ID}`],
  ['x-tabserve-stream-id', 'x'.repeat(65)],
  ['x-tabserve-last-event', '-2'],
  ['x-tabserve-last-event', '1e3'],
  ['x-tabserve-last-event', ''],
  ['x-tabserve-outlives', 'everything'],
])('the header %s: %j is refused by its name', async (name, value) => {
  const { status, message } = await readError(await createTestApp().chat(GOOD_BODY, named({ [name]: value })));
  expect(status).toBe(400);
  expect(message).toContain(name);
});

test('requests with one stream id have one fingerprint, unless key or body differ', async () => {
  const [page, otherPage, otherKey, otherBody] = await Promise.all([
    options(named({})),
    options(named({}), 'page-2'),
    options({
      ...named({ authorization: 'Bearer narrow' }),
      body: JSON.stringify({ ...GOOD_BODY, model: 'org/seer' }),
    }),
    options({ ...named({}), body: JSON.stringify({ ...GOOD_BODY, model: 'org/seer' }) }),
  ]);
  expect(otherPage.fingerprint).toBe(page.fingerprint);
  expect(otherKey.fingerprint).not.toBe(otherBody.fingerprint);
  expect(otherBody.fingerprint).not.toBe(page.fingerprint);
});
