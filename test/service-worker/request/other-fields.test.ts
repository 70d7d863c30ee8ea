import { expect, test } from 'vitest';
import type { Check } from '../../../src/service-worker/request/checks.ts';
import { ROUTE_FIELDS, type RouteName } from '../support/route-fields.ts';
import { createTestApp, GOOD_BODY, MODELS } from '../support/test-app.ts';

/** For each route its path, and a request that is accepted. */
const ROUTES: Readonly<Record<RouteName, readonly [path: string, body: object]>> = {
  chat: ['/chat/completions', GOOD_BODY],
  completions: ['/completions', { model: 'pocket', prompt: 'a' }],
  responses: ['/responses', { model: 'pocket', input: 'Hi', store: false }],
  messages: ['/messages', { ...GOOD_BODY, max_tokens: 9 }],
  embeddings: ['/embeddings', { model: 'vectors', input: 'a' }],
};

const FIELDS = (Object.keys(ROUTES) as RouteName[]).flatMap((route) =>
  Object.entries<Check<unknown>>(ROUTE_FIELDS[route]).map(([name, check]) => [route, name, check] as const),
);

function createApp() {
  const vectors = { ...MODELS[0]!, id: 'vectors', embedding: { dimensions: 2 } };
  return createTestApp({ models: async () => [...MODELS, vectors] });
}

/** Sends a request with these fields. @returns its error, and the engine's request. */
async function send(route: RouteName, fields: object) {
  const app = createApp();
  const [path, body] = ROUTES[route];
  const response = await app.send(path, { method: 'POST', body: JSON.stringify({ ...body, ...fields }) });
  const { error = null } = response.ok
    ? {}
    : ((await response.json()) as { error?: { message: string; param?: string } });
  return { status: response.status, error, request: app.service.completions[0]?.request };
}

/** Values of every kind, of which a field accepts some. */
const VALUES = ['x', 7, 0.5, true, false, {}, { a: 1 }, [], [1], ['x']];

test.each(FIELDS.filter(([, , check]) => check.isRefused))(
  '%s: %s is refused by name, unless it asks for nothing',
  async (route, name, { schema }) => {
    const plain = await send(route, {});
    const neutral = schema!.enum as readonly unknown[];
    for (const value of neutral) expect(await send(route, { [name]: value })).toEqual(plain);
    const known = new Set(neutral.map((value) => JSON.stringify(value)));
    for (const value of VALUES.filter((one) => !known.has(JSON.stringify(one)))) {
      const { status, error, request } = await send(route, { [name]: value });
      expect([status, error?.message, request]).toEqual([400, expect.stringContaining(`\`${name}\``), undefined]);
    }
  },
);

test.each(FIELDS.filter(([, , check]) => check.because !== undefined))(
  '%s: %s changes nothing, or is refused for its type',
  async (route, name) => {
    const plain = await send(route, {});
    const outcomes = await Promise.all(
      [...VALUES, 'auto', 'low', '24h', 'fast', 'edskypmxt'].map((value) => send(route, { [name]: value })),
    );
    const accepted = outcomes.filter(({ error }) => error === null);
    expect(accepted.length).toBeGreaterThan(0);
    for (const { request } of accepted) expect(request).toEqual(plain.request);
    for (const { status, error } of outcomes.filter((outcome) => outcome.error !== null))
      expect([status, error?.message]).toEqual([400, expect.stringContaining(`\`${name}\``)]);
  },
);

test.each<[RouteName, object, string]>([
  ['chat', { max_output_tokens: 5 }, '`max_completion_tokens`'],
  ['chat', { max_new_tokens: 5 }, '`max_completion_tokens`'],
  ['chat', { options: { num_ctx: 9 } }, '`temperature`'],
  ['chat', { system: 'Be brief.' }, 'role `system`'],
  ['responses', { max_tokens: 5 }, '`max_output_tokens`'],
  ['responses', { reasoning_effort: 'low' }, '`reasoning.effort`'],
  ['messages', { max_completion_tokens: 5 }, '`max_tokens`'],
])('%s: %j is refused with the name to use', async (route, fields, instead) => {
  expect((await send(route, fields)).error?.message).toMatch(/^`\w+` is not a field of this route\. Use /);
  expect((await send(route, fields)).error?.message).toContain(instead);
});

test.each([
  { repeat_last_n: 64, repeat_penalty: 1 },
  { repeat_last_n: 0, repetition_penalty: null, presence_penalty: 0 },
  { repeat_last_n: 256, frequency_penalty: 0 },
])('a range of penalties is accepted where none is set: %j', async (fields) => {
  for (const route of ['chat', 'completions', 'responses', 'messages'] as const)
    expect(await send(route, fields)).toMatchObject({ status: 200 });
});

test.each([{ repeat_penalty: 1.1 }, { repetition_penalty: 1.1 }, { presence_penalty: 1 }, { frequency_penalty: -1 }])(
  'beside %j the range of penalties can only be the whole context',
  async (penalty) => {
    const refused = { status: 400, error: { param: 'repeat_last_n' } };
    expect(await send('chat', { ...penalty, repeat_last_n: 64 })).toMatchObject(refused);
    expect(await send('completions', { ...penalty, repeat_last_n: 0 })).toMatchObject(refused);
    expect(await send('chat', { ...penalty, repeat_last_n: -1 })).toMatchObject({ status: 200 });
  },
);

test.each<[RouteName, object, string]>([
  ['chat', { service_tier: 'banana' }, 'service_tier'],
  ['chat', { verbosity: 'extreme' }, 'verbosity'],
  ['chat', { chat_template_kwargs: { enable_thinking: 'no' } }, 'chat_template_kwargs.enable_thinking'],
  ['chat', { chat_template_kwargs: { reasoning_strategy: 'slow' } }, 'chat_template_kwargs.reasoning_strategy'],
  ['completions', { user: 7 }, 'user'],
  ['responses', { service_tier: 'banana' }, 'service_tier'],
])('%s: %j is refused', async (route, fields, param) => {
  expect(await send(route, fields)).toMatchObject({ status: 400, error: { param } });
});
