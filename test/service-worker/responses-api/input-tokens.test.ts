import { expect, test } from 'vitest';
import type { CallEngine } from '../../../src/shared/engine/engine.ts';
import { expectPublishedForm } from '../support/published-schemas.ts';
import { readError } from '../support/read-error.ts';
import { createResponsesApp, GOOD_BODY } from './responses-app.ts';

const called: unknown[] = [];
const callEngine = (async (...call: unknown[]) => {
  called.push(call);
  return { tokens: [1, 2, 3], pieces: null };
}) as CallEngine;
const app = createResponsesApp({ callEngine });
const count = (body: object) => app.send('/responses/input_tokens', { method: 'POST', body: JSON.stringify(body) });

test('the tokens of the prompt that a response would have are counted', async () => {
  const tools = [{ type: 'function', name: 'look', parameters: { type: 'object' } }];
  const response = await count({ ...GOOD_BODY, instructions: 'Be brief.', tools });
  const counted: unknown = await response.json();
  expectPublishedForm('TokenCountsResource', counted);
  expect(counted).toEqual({ object: 'response.input_tokens', input_tokens: 3 });
  const request = { messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user' }], tools: [{ name: 'look' }] };
  const input = { type: 'conversation', reply: true, request };
  expect(called).toMatchObject([['models/tokenize', { id: 'pocket', input }, {}]]);
});

test('without a model in the request, the first model counts the tokens', async () => {
  called.length = 0;
  expect((await count({ input: 'Hi' })).status).toBe(200);
  expect(called).toMatchObject([['models/tokenize', { id: 'pocket' }, {}]]);
});

test.each([
  [{}, 'missing_required_parameter', 'input'],
  [{ input: 'Hi', model: 'nobody' }, 'model_not_found', 'model'],
  [{ input: 'Hi', tools: [{ type: 'web_search' }] }, 'unsupported_value', 'tools[0].type'],
  [
    {
      model: 'org/seer',
      input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'data:image/png;base64,AAAA' }] }],
    },
    'unsupported_value',
    'input[0].content[0].type',
  ],
])('%j is refused', async (body, code, param) => {
  expect(await readError(await count(body))).toMatchObject({ code, param });
});
