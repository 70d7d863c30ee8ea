import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anything, mostly, unhandledRejections, usually } from '../../support/samples/malformed-requests.ts';
import type { CallEngine } from '../../../src/shared/engine/engine.ts';
import { MemoryAnswers } from '../../support/fakes/memory-answers.ts';
import { isRefused } from '../support/is-refused.ts';
import { formErrors } from '../support/reply-schemas.ts';
import { createResponsesApp, GOOD_BODY } from './responses-app.ts';

/** Number of requests: fewer in `npm test` than in the full run. */
const COUNT = process.env['TABSERVE_TEST_THOROUGH'] ? 10_000 : 500;

/** Names of fields of the request and of its nested objects. */
const fields = fc.constantFrom(
  ...(
    'model input instructions previous_response_id tools tool_choice text reasoning include ' +
    'stream store background max_output_tokens temperature top_logprobs truncation metadata ' +
    'type role content id call_id name arguments output summary image_url schema format ' +
    'parameters mode conversation prompt encrypted_content'
  ).split(' '),
);

const types = fc.constantFrom(
  ...(
    'message function_call function_call_output reasoning item_reference compaction custom_tool_call ' +
    'function namespace custom web_search allowed_tools json_schema input_text input_image'
  ).split(' '),
);

/** A valid body with some fields, and some nested ones, replaced. */
const nearlyRight = fc
  .record({
    top: fc.dictionary(fields, anything, { maxKeys: 3 }),
    inner: fc.dictionary(fields, anything, { maxKeys: 4 }),
    type: types,
    where: fc.constantFrom('item', 'content', 'output', 'tool', 'namespace', 'choice', 'format', 'none'),
  })
  .map(({ top, inner, type, where }) => {
    const part = { type, ...inner };
    const nested = {
      item: { input: [{ role: 'user', content: 'Hi' }, part] },
      content: { input: [{ role: 'user', content: [part] }] },
      output: { input: [{ type: 'function_call_output', call_id: 'a', output: [part] }] },
      tool: { tools: [part] },
      namespace: { tools: [{ type: 'namespace', name: 'n', tools: [part] }] },
      choice: { tools: [{ type: 'function', name: 'f' }], tool_choice: part },
      format: { text: { format: part } },
      none: {},
    }[where];
    return JSON.stringify({ ...GOOD_BODY, ...nested, ...top });
  });

const body = mostly(nearlyRight);

const unhandled = unhandledRejections();

test.each(['/responses', '/responses/input_tokens', '/responses/compact'])(
  `${COUNT} malformed requests to %s are refused with a 4xx in the envelope, or answered`,
  async (path) => {
    const callEngine = (async () => ({ tokens: [1], pieces: null })) as CallEngine;
    const app = createResponsesApp({ answers: new MemoryAnswers(), callEngine });
    const others = ['/x', '/x/cancel', '/x/input_items', '/%ff', '/x?stream=true', '/x/y', '/x/cancel/'];
    const request = fc.record({
      path: usually(path, ...others.map((other) => `/responses${other}`)),
      method: usually('POST', 'PUT', 'DELETE', 'PATCH'),
      body,
    });
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(request, async ({ path, method, body }) => {
        const response = await app.send(path, { method, body });
        if (await isRefused(response, (error) => formErrors('error', error))) refused += 1;
      }),
      { seed: 20_261_122, numRuns: COUNT },
    );
    expect(refused).toBeGreaterThan(COUNT / 3);
    expect(unhandled).toEqual([]);
    expect(await (await app.respond(GOOD_BODY)).json()).toMatchObject({ status: 'completed' });
  },
  300_000,
);
