import Anthropic, { BadRequestError } from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../../src/shared/api-error.ts';
import { EARLY_HEADERS_HEADER } from '../../../src/shared/http/early-headers.ts';
import { answerIn } from '../support/scripted-service.ts';
import { ORIGIN } from '../support/test-app.ts';
import { completionOf, createMessagesApp, type MessagesApp } from './messages-app.ts';

const CALL = completionOf([{ toolCalls: [{ index: 0, id: 'call_a', name: 'look', arguments: '{"city":"Ulm"}' }] }], {
  reason: 'tool_calls',
});

let app: MessagesApp;
let statuses: number[];
let client: Anthropic;

beforeEach(() => {
  app = createMessagesApp();
  statuses = [];
  client = new Anthropic({
    apiKey: 'local',
    baseURL: ORIGIN,
    async fetch(input, init) {
      const response = await app.fetch(new Request(input, init));
      statuses.push(response.status);
      return response;
    },
  });
});

test.each([false, true])(
  'the tool runner of the official client finishes with its defaults, stream: %s',
  async (stream) => {
    app.service.play(CALL);
    const look = betaTool({
      name: 'look',
      description: 'Looks at the weather.',
      inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      run: ({ city }) => {
        app.service.play(answerIn(`Sun in ${city}.`));
        return `Sun in ${city}.`;
      },
    });
    const messages = [{ role: 'user' as const, content: 'How is the weather in Ulm?' }];
    const runner = client.beta.messages.toolRunner({
      model: 'pocket',
      max_tokens: 100,
      messages,
      tools: [look],
      stream,
    });
    const { content } = await runner.runUntilDone();
    expect(content).toMatchObject([{ type: 'text', text: 'Sun in Ulm.' }]);
    // The client learns from the first response to send the whole conversation each time.
    expect(statuses).toEqual([400, 200, 200]);
    expect(app.service.completions.at(-1)!.request.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', toolCalls: [{ id: 'call_a' }] },
      { role: 'tool', content: 'Sun in Ulm.' },
    ]);
  },
);

test.each([{ type: 'create' }, { type: 'continue', previous_message_id: 'msg_1' }])(
  'the thread %j is refused before the messages that it lacks',
  async (thread) => {
    const result = { type: 'tool_result', tool_use_id: 'call_a', content: 'Sun.' };
    const response = await app.message({
      model: 'pocket',
      max_tokens: 9,
      thread,
      messages: [{ role: 'user', content: [result] }],
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: {
        type: 'invalid_request_error',
        message: '`thread` is not supported here. Leave it out.',
        details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] },
      },
    });
  },
);

test('other refused fields have no details', async () => {
  const body = { model: 'pocket', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }], container: 'c' };
  expect(JSON.stringify(await (await app.message(body)).json())).not.toContain('details');
});

/** Asks for JSON, which fails before its headers, or after them if the client wants these early. */
async function failing(headers: Record<string, string>): Promise<Anthropic.Message> {
  app.service.play([{ type: 'prefill' }]);
  const messages = [{ role: 'user' as const, content: 'Hi' }];
  const responded = client.messages.create({ model: 'pocket', max_tokens: 9, messages }, { headers, maxRetries: 0 });
  const isLate = EARLY_HEADERS_HEADER in headers;
  await vi.waitUntil(() => (isLate ? statuses.length === 1 : app.service.completions.length === 1));
  const error = new ApiError('context_length_exceeded', 'It is too long.').toData();
  app.service.completions.at(-1)!.emit({ type: 'error', error });
  return responded;
}

test('a failure before the headers is an exception of the official client', async () => {
  await expect(failing({})).rejects.toThrow(BadRequestError);
  expect(statuses).toEqual([400]);
});

test('a failure after the headers is an error object, which the official client returns in place of a message', async () => {
  const returned = await failing({ [EARLY_HEADERS_HEADER]: '1' });
  expect(statuses).toEqual([200]);
  expect(returned).toMatchObject({ type: 'error', error: { message: 'It is too long.' } });
  expect(returned.content).toBeUndefined();
});
