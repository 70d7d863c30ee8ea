import { expect, test } from 'vitest';
import { readError } from '../support/read-error.ts';
import { createTestApp, GOOD_BODY } from '../support/test-app.ts';

const authorized = (authorization: string): RequestInit => ({ headers: { authorization } });

test.each(['Bearer local', 'bearer local', 'BEARER local', 'Bearer    local', '  Bearer local  '])(
  '%j is accepted',
  async (header) => {
    expect((await createTestApp().send('/models', authorized(header))).status).toBe(200);
  },
);

const MISSING = [
  '',
  ' ',
  'Bearer',
  'Bearer ',
  'local',
  'Basic bG9jYWw6',
  'Bearerlocal',
  'Bearer local local',
  'Bearer local, Bearer local',
  'Token local',
];

test.each(
  MISSING.map((header) => [header, 'missing_api_key']).concat([
    ['Bearer Local', 'invalid_api_key'],
    ['Bearer wrong', 'invalid_api_key'],
    ['Bearer constructor', 'invalid_api_key'],
    ['Bearer local,', 'invalid_api_key'],
  ]),
)('%j is rejected as %s', async (header, code) => {
  const response = await createTestApp().send('/models', authorized(header));
  expect(response.headers.get('www-authenticate')).toBe('Bearer');
  expect(await readError(response)).toMatchObject({ status: 401, type: 'invalid_request_error', code, param: null });
});

test('a missing header is rejected', async () => {
  const { fetch } = createTestApp();
  const response = await fetch(new Request('https://tabserve.test/v1/models'));
  expect(await readError(response)).toMatchObject({ status: 401, code: 'missing_api_key' });
});

test('the error for a wrong key is the one that clients know, and does not contain the key', async () => {
  const key = `ts-${'abcdefgh'.repeat(6)}`;
  const { message } = await readError(await createTestApp().send('/models', authorized(`Bearer ${key}`)));
  expect(message).not.toContain(key.slice(0, 8));
  // LiteLLM raises its authentication error for these words.
  expect(message).toMatch(/^Incorrect API key provided/);
  expect(message).toContain('`local` works');
});

test('a key for some models sees no others, in the list, by id, by alias and in chat', async () => {
  const app = createTestApp();
  const narrow = authorized('Bearer narrow');
  const list = (await (await app.send('/models', narrow)).json()) as { data: { id: string }[] };
  expect(list.data.map(({ id }) => id)).toEqual(['org/seer']);
  for (const path of ['/models/pocket', '/models/gpt-4o-mini']) {
    expect(await readError(await app.send(path, narrow))).toMatchObject({ status: 404, code: 'model_not_found' });
  }
  const error = await readError(await app.chat(GOOD_BODY, narrow));
  expect(error).toMatchObject({ status: 404, code: 'model_not_found', param: 'model' });
  expect((await app.chat({ ...GOOD_BODY, model: 'org/seer' }, narrow)).status).toBe(200);
});

test('a key is looked up for each request, so that revoking works at once', async () => {
  let revoked = false;
  const app = createTestApp({ findKey: async (name) => (revoked ? null : { name, models: null }) });
  expect((await app.send('/models')).status).toBe(200);
  revoked = true;
  expect((await app.send('/models')).status).toBe(401);
});
