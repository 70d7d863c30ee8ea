import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anything, mostly } from '../../support/samples/malformed-requests.ts';
import type { CallEngine } from '../../../src/shared/engine/engine.ts';
import { createOllamaApp, formErrors } from './ollama-app.ts';

/** Number of requests: fewer in `npm test` than in the full run. */
const COUNT = process.env['TABSERVE_TEST_THOROUGH'] ? 10_000 : 500;

const fields = fc.constantFrom(
  ...(
    'model name messages prompt suffix system template context stream raw format keep_alive images options think tools ' +
    'logprobs top_logprobs input truncate dimensions verbose'
  ).split(' '),
);

const inner = fc.constantFrom(
  ...(
    'role content images thinking tool_calls tool_name tool_call_id function name arguments id type parameters ' +
    'temperature num_predict seed stop top_p top_k repeat_penalty __proto__'
  ).split(' '),
);

const GOOD = { model: 'pocket', messages: [{ role: 'user', content: 'Hi' }], prompt: 'Hi', input: 'Hi' };

/** A valid body with some fields, and some nested ones, replaced. */
const nearlyRight = fc
  .record({
    top: fc.dictionary(fields, anything, { maxKeys: 3 }),
    nested: fc.dictionary(inner, anything, { maxKeys: 4 }),
    where: fc.constantFrom('message', 'call', 'tool', 'function', 'options', 'format', 'none'),
    model: fc.constantFrom('pocket', 'pocket:latest', 'org/seer', 'pocket-embed', 'nothing'),
  })
  .map(({ top, nested, where, model }) => {
    const replaced = {
      message: { messages: [...GOOD.messages, { role: 'user', content: 'a', ...nested }] },
      call: {
        messages: [
          { role: 'assistant', content: 'a', tool_calls: [nested] },
          { role: 'tool', ...nested },
        ],
      },
      tool: { tools: [nested] },
      function: { tools: [{ type: 'function', function: nested }] },
      options: { options: nested },
      format: { format: nested },
      none: {},
    }[where];
    return JSON.stringify({ ...GOOD, model, ...replaced, ...top });
  });

const body = mostly(nearlyRight);

test.each(['chat', 'generate', 'embed', 'embeddings', 'show', 'pull', 'tags', 'ps', 'version'])(
  `${COUNT} malformed requests to /api/%s are answered, or refused with a 4xx and an explanation`,
  async (route) => {
    const callEngine = (async () => ({ tokens: [1], pieces: null })) as CallEngine;
    const { ask } = createOllamaApp({ callEngine });
    const paths = fc.constantFrom(...Array.from({ length: 12 }, () => `/api/${route}`), `/api/${route}/`, '/api/%ff');
    const methods = fc.constantFrom(...Array.from({ length: 12 }, () => 'POST'), 'PUT', 'DELETE', 'GET');
    await fc.assert(
      fc.asyncProperty(paths, methods, body, async (path, method, body) => {
        const response = await ask(path, body, { method });
        const text = await response.text();
        if (response.status === 200) return;
        const isRefusal = response.status >= 400 && response.status < 500;
        const error = JSON.parse(text) as { error: unknown };
        const wrong = [...formErrors('ErrorResponse', error), ...(typeof error.error === 'string' ? [] : ['no text'])];
        if (!isRefusal || wrong.length > 0) throw new Error(`${response.status} ${wrong.join('; ')}: ${text}`);
      }),
      { seed: 20_261_126, numRuns: COUNT },
    );
    expect((await ask('/api/tags')).status).toBe(200);
  },
  300_000,
);
