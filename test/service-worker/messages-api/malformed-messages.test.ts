import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anything, mostly, unhandledRejections, usually } from '../../support/samples/malformed-requests.ts';
import type { CallEngine } from '../../../src/shared/engine/engine.ts';
import { isRefused } from '../support/is-refused.ts';
import { createMessagesApp, formErrors, GOOD_BODY } from './messages-app.ts';

/** Number of requests: fewer in `npm test` than in the full run. */
const COUNT = process.env['TABSERVE_TEST_THOROUGH'] ? 10_000 : 1000;

/** Names of fields of the request and of its nested objects. */
const fields = fc.constantFrom(
  ...(
    'model messages system tools tool_choice thinking output_config mcp_servers max_tokens stream temperature top_p ' +
    'top_k stop_sequences metadata container type role content text source media_type data url id name input ' +
    'tool_use_id input_schema budget_tokens schema format disable_parallel_tool_use'
  ).split(' '),
);

const types = fc.constantFrom(
  ...'text image tool_use tool_result thinking document any tool enabled json_schema base64 url bash_20250124'.split(
    ' ',
  ),
);

/** A valid body with some fields, and some nested ones, replaced. */
const nearlyRight = fc
  .record({
    top: fc.dictionary(fields, anything, { maxKeys: 3 }),
    inner: fc.dictionary(fields, anything, { maxKeys: 4 }),
    type: types,
    where: fc.constantFrom('user', 'assistant', 'result', 'image', 'tool', 'choice', 'thinking', 'format', 'none'),
  })
  .map(({ top, inner, type, where }) => {
    const part = { type, ...inner };
    const nested = {
      user: { messages: [{ role: 'user', content: [part] }] },
      assistant: { messages: [{ role: 'assistant', content: [part] }, ...GOOD_BODY.messages] },
      result: { messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [part] }] }] },
      image: { messages: [{ role: 'user', content: [{ type: 'image', source: part }] }] },
      tool: { tools: [part] },
      choice: { tools: [{ name: 'f', input_schema: { type: 'object' } }], tool_choice: part },
      thinking: { thinking: part },
      format: { output_config: { format: part } },
      none: {},
    }[where];
    return JSON.stringify({ ...GOOD_BODY, ...nested, ...top });
  });

const body = mostly(nearlyRight);

const unhandled = unhandledRejections();

test.each(['/messages', '/messages/count_tokens'])(
  `${COUNT} malformed requests to %s are refused with a 4xx in the form of this API, or answered`,
  async (path) => {
    const callEngine = (async () => ({ tokens: [1], pieces: null })) as CallEngine;
    const app = createMessagesApp({ callEngine });
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(
        usually(path, `${path}/`, `${path}/x`, `${path}/%ff`),
        usually('POST', 'PUT', 'DELETE'),
        usually('local', '', 'a b', 'wrong'),
        body,
        async (path, method, key, body) => {
          const headers = { authorization: '', 'x-api-key': key };
          const response = await app.send(path, { method, headers, body });
          if (await isRefused(response, (error) => formErrors('ErrorResponse', error))) refused += 1;
        },
      ),
      { seed: 20_261_125, numRuns: COUNT },
    );
    expect(refused).toBeGreaterThan(COUNT / 2);
    expect(unhandled).toEqual([]);
    expect(await (await app.message(GOOD_BODY)).json()).toMatchObject({ content: [{ text: 'Hello.' }] });
  },
  300_000,
);
