import { expect, test } from 'vitest';
import { withLocalServerNames } from '../../../src/command-line/bridge/with-local-server-names.ts';
import type { HeaderList, PageRequest } from '../../../src/command-line/browser/page-fetch.ts';

/** A site that accepts these keys and models, as the endpoint does, and records the requests that it answers. */
function site({ keys = ['local'], models = ['pocket'] }: { keys?: readonly string[]; models?: readonly string[] }) {
  const answered: PageRequest[] = [];
  const send = withLocalServerNames(async (request) => {
    const { path, headers = [], body } = request;
    const key = headers.find(([name]) => /^(authorization|x-api-key)$/i.test(name))?.[1].replace('Bearer ', '');
    if (!keys.includes(key ?? '')) return new Response(`no key ${key}`, { status: 401 });
    const fields = JSON.parse(Buffer.from(body ?? []).toString() || '{}') as { model?: string };
    const model = fields.model ?? decodeURIComponent(path.replace(/^\/v1\/models\/?|\?.*$/g, ''));
    if (model !== '' && !models.includes(model)) return new Response(`no model ${model}`, { status: 404 });
    answered.push(request);
    return new Response(model);
  });
  const post = (fields: object) => ({ path: '/v1/chat/completions', method: 'POST', body: Buffer.from(json(fields)) });
  const json = JSON.stringify;
  return { send, post, answered };
}

const LOCAL: HeaderList = [['Authorization', 'Bearer local']];

test.for<readonly [HeaderList, number]>([
  [[['Authorization', 'Bearer ollama']], 200],
  [[['authorization', 'Bearer lm-studio']], 200],
  [[['Authorization', 'Bearer sk-no-key-required']], 200],
  [[['Authorization', 'Bearer ']], 200],
  [[['Authorization', 'Bearer']], 200],
  [[['X-Api-Key', 'ollama']], 200],
  [
    [
      ['X-Api-Key', ''],
      ['Authorization', 'Bearer ollama'],
    ],
    200,
  ],
  [[['Authorization', 'Bearer sk-1234']], 401],
  [
    [
      ['X-Api-Key', 'sk-1234'],
      ['Authorization', 'Bearer ollama'],
    ],
    401,
  ],
  [[], 401],
])('a request with the headers %j has the status %i', async ([headers, status]) => {
  const { send, answered } = site({});
  const request = { path: '/v1/models', headers: [...headers, ['X-Other', '1'] as const] };
  expect((await send(request)).status).toBe(status);
  expect(answered.flatMap((kept) => kept.headers ?? [])).toEqual(
    status === 401
      ? []
      : [
          ['X-Other', '1'],
          ['authorization', 'Bearer local'],
        ],
  );
});

test('a default key is refused as it was sent if the site has keys of its own, unless it is one of them', async () => {
  const headers: HeaderList = [['Authorization', 'Bearer ollama']];
  const refused = await site({ keys: ['secret'] }).send({ path: '/v1/models', headers });
  expect([refused.status, await refused.text()]).toEqual([401, 'no key ollama']);
  const own = site({ keys: ['ollama', 'local'] });
  expect((await own.send({ path: '/v1/models', headers })).status).toBe(200);
  expect(own.answered).toMatchObject([{ headers }]);
});

test.for([
  ['pocket:latest', 'pocket'],
  ['pocket', 'pocket'],
  ['tagged:latest', 'tagged:latest'],
  ['unknown:latest', null],
  ['pocket:7b', null],
] as const)('the model %s is found as %s, by a body and by an address', async ([name, found]) => {
  const { send, post, answered } = site({ models: ['pocket', 'tagged:latest', 'tagged'] });
  const other = { temperature: 0, messages: [{ role: 'user', content: 'ü:latest' }] };
  const responses = [
    await send({ ...post({ ...other, model: name }), headers: LOCAL }),
    await send({ path: `/v1/models/${name}?a=b`, headers: LOCAL }),
    await send({ path: `/v1/models/${encodeURIComponent(name)}`, headers: LOCAL }),
  ];
  expect(await Promise.all(responses.map((response) => response.text()))).toEqual(
    responses.map(() => found ?? `no model ${name}`),
  );
  if (found === null) return;
  expect(JSON.parse(Buffer.from(answered[0]?.body ?? []).toString())).toEqual({ ...other, model: found });
});

test('a default key and a default tag work together', async () => {
  const { send, post } = site({});
  const headers: HeaderList = [['Authorization', 'Bearer lm-studio']];
  expect((await send({ ...post({ model: 'pocket:latest' }), headers })).status).toBe(200);
});
