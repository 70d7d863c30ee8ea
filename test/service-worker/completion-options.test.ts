import { expect, test } from 'vitest';
import type { CompletionOptions } from '../../src/shared/engine.ts';
import { createTestApp, GOOD_BODY } from './test-app.ts';

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

test('a fetch event and its repetition by the browser have one fingerprint and two ids', async () => {
  const [one, two] = [await options(), await options()];
  expect(one.fingerprint).toMatch(/^[0-9a-f]{64}$/);
  expect(two.fingerprint).toBe(one.fingerprint);
  expect(two.requestId).not.toBe(one.requestId);
});

test('what differs in client, path, key or body has another fingerprint', async () => {
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
])('a client that waits %s seconds is held %s ms while its model is loaded', async (seconds, held) => {
  const { holdTime } = await options(seconds === null ? {} : { headers: { 'x-stainless-timeout': seconds } });
  expect(holdTime).toBe(held);
});
