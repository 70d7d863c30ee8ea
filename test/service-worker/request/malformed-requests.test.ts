import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anything, unhandledRejections, usually } from '../../support/samples/malformed-requests.ts';
import { formErrors } from '../support/reply-schemas.ts';
import { createTestApp, GOOD_BODY, type TestApp } from '../support/test-app.ts';
import { FIELD_CASES } from '../support/field-cases.ts';

const fields = fc.constantFrom(
  ...Object.keys(FIELD_CASES),
  'role',
  'content',
  'type',
  'function',
  'name',
  'schema',
  'json_schema',
);

/** A valid body with some fields, and some nested ones, replaced. */
const nearlyRight = fc
  .record({
    top: fc.dictionary(fields, anything, { minKeys: 1, maxKeys: 4 }),
    inner: fc.dictionary(fields, anything, { maxKeys: 3 }),
    where: fc.constantFrom('messages', 'tools', 'response_format', 'none'),
  })
  .map(({ top, inner, where }) => {
    const nested = {
      messages: {
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', ...inner },
        ],
      },
      tools: { tools: [{ type: 'function', function: { name: 'f', parameters: inner } }] },
      response_format: {
        response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { properties: inner, ...inner } } },
      },
      none: {},
    }[where];
    return JSON.stringify({ ...GOOD_BODY, ...nested, ...top });
  });

const body = fc.oneof(
  { weight: 6, arbitrary: nearlyRight },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  { weight: 1, arbitrary: fc.nat(200).map((end) => JSON.stringify({ ...GOOD_BODY, n: 3 }).slice(0, end)) },
);

const request = fc.record({
  path: usually('/chat/completions', '/chat/completions/', '/models', '/models/%ff', '/nowhere', '/chat'),
  method: usually('POST', 'PUT', 'DELETE', 'PATCH'),
  authorization: usually('Bearer local', '', 'Bearer', 'Bearer a b', 'Basic x', 'Bearer ééé'),
  contentType: usually('application/json', 'text/plain', ';', 'application/json; charset=latin1'),
  timeout: usually('60', '', '-1', 'x', '1e9'),
  body,
});

const unhandled = unhandledRejections();

async function send(
  app: TestApp,
  { path, method, authorization, contentType, timeout, body }: Record<string, string>,
): Promise<Response> {
  const headers = { authorization: authorization!, 'content-type': contentType!, 'x-stainless-timeout': timeout! };
  return app.send(path!, { method: method!, headers, body: body! });
}

/** The faults of an error response; empty for a 4xx with an error object. Thousands of `expect`s would be slow. */
async function faults(response: Response): Promise<string[]> {
  const body: unknown = await response.json();
  return [
    ...(response.status >= 400 && response.status < 500 ? [] : [`status ${response.status}`]),
    ...(response.headers.get('content-type') === 'application/json' ? [] : ['content type']),
    ...(/^req_[0-9a-f]{32}$/.test(response.headers.get('x-request-id') ?? '') ? [] : ['request id']),
    ...formErrors('error', body).map((error) => `${error}: ${JSON.stringify(body)}`),
    ...(JSON.stringify(body).length < 900 ? [] : ['a message without end']),
  ];
}

/** Number of requests: fewer in `npm test` than in the full run. */
const COUNT = process.env['TABSERVE_TEST_THOROUGH'] ? 10_000 : 1000;

test(`${COUNT} malformed requests get a 4xx with an error object, and a valid one succeeds afterwards`, async () => {
  const app = createTestApp();
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(request, async (parts) => {
      const response = await send(app, parts);
      // Valid by chance: these must succeed, but do not count.
      if (response.status === 200) {
        await response.text();
        fc.pre(false);
      }
      refused += 1;
      const wrong = await faults(response);
      if (wrong.length > 0) throw new Error(wrong.join('; '));
    }),
    { seed: 20_261_121, numRuns: COUNT, maxSkipsPerRun: 3 },
  );
  expect(refused).toBe(COUNT);
  expect(unhandled).toEqual([]);
  expect(await (await app.chat(GOOD_BODY)).json()).toMatchObject({ choices: [{ message: { content: 'Hello.' } }] });
}, 300_000);
