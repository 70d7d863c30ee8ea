import type { Response as SdkResponse, ResponseOutputItem } from 'openai/resources/responses/responses';
import { describe, expect, test } from 'vitest';
import { EARLY_HEADERS_HEADER } from '../../../src/shared/http/early-headers.ts';
import { ApiError } from '../../../src/shared/api-error.ts';
import type { CompletionEvent, TokenLogprob } from '../../../src/shared/engine/completion-event.ts';
import { expectPublishedForm, publishedFormErrors } from '../support/published-schemas.ts';
import { answerIn, USAGE } from '../support/scripted-service.ts';
import { createResponsesApp, GOOD_BODY, readResponseEvents, type SentEvent } from './responses-app.ts';

const CALL_ID = 'call_0123456789abcdefghijklmn';
const delta = (fields: object): CompletionEvent => ({ type: 'delta', choice: 0, ...fields });
const ending = (reason: 'stop' | 'length' | 'tool_calls' = 'stop'): CompletionEvent[] => [
  { type: 'finish', choice: 0, reason },
  { type: 'done', usage: USAGE },
];
const token: TokenLogprob = {
  token: 'Hel',
  logprob: -0.5,
  bytes: [72, 101, 108],
  topLogprobs: [{ token: 'Hel', logprob: -0.5, bytes: [72, 101, 108] }],
};
const failure = new ApiError('gpu_device_lost', 'The graphics device went away.').toData();

/** The events of a message with this number of text deltas. */
const message = (pieces: number): string[] => [
  'response.output_item.added',
  'response.content_part.added',
  ...Array<string>(pieces).fill('response.output_text.delta'),
  'response.output_text.done',
  'response.content_part.done',
  'response.output_item.done',
];
const thoughts = (pieces: number): string[] => [
  'response.output_item.added',
  'response.reasoning_summary_part.added',
  ...Array<string>(pieces).fill('response.reasoning_summary_text.delta'),
  'response.reasoning_summary_text.done',
  'response.reasoning_summary_part.done',
  'response.output_item.done',
];
const call = (pieces: number, input: 'function_call_arguments' | 'custom_tool_call_input'): string[] => [
  'response.output_item.added',
  ...Array<string>(pieces).fill(`response.${input}.delta`),
  `response.${input}.done`,
  'response.output_item.done',
];

/** Output of a model → the types of its events, after the two first ones of every stream. */
const STORIES: Readonly<
  Record<string, { says: readonly CompletionEvent[]; becomes: readonly string[]; asks?: object }>
> = {
  'a text': {
    says: answerIn('Hel', 'lo.'),
    becomes: [...message(2), 'response.completed'],
  },
  'nothing at all': {
    says: ending(),
    becomes: [...message(0), 'response.completed'],
  },
  'reasoning, then a text that is cut off': {
    says: [delta({ reasoning: 'Well, ' }), delta({ reasoning: 'hm.' }), delta({ content: 'Yes' }), ...ending('length')],
    becomes: [...thoughts(2), ...message(1), 'response.incomplete'],
  },
  'two calls': {
    says: [
      delta({ toolCalls: [{ index: 0, id: CALL_ID, name: 'add', arguments: '{"a":' }] }),
      delta({ toolCalls: [{ index: 0, arguments: '1}' }] }),
      delta({ toolCalls: [{ index: 1, id: `${CALL_ID}o`, name: 'now', arguments: '{}' }] }),
      ...ending('tool_calls'),
    ],
    becomes: [...call(2, 'function_call_arguments'), ...call(1, 'function_call_arguments'), 'response.completed'],
    asks: {
      tools: [
        { type: 'function', name: 'add' },
        { type: 'function', name: 'now', strict: false },
      ],
    },
  },
  'tokens with probabilities': {
    says: [delta({ content: 'Hel', logprobs: [token] }), ...ending()],
    becomes: [...message(1), 'response.completed'],
    asks: { include: ['message.output_text.logprobs'], top_logprobs: 1 },
  },
  'a text that breaks off': {
    says: [delta({ content: 'Hel' }), { type: 'error', error: failure }],
    becomes: [...message(1), 'error', 'response.failed'],
  },
};

/** The response of the last event. */
function lastResponse(events: readonly SentEvent[]): SdkResponse {
  const { data } = events.at(-1)!;
  if (!('response' in data)) throw new Error(`A stream ends with ${data.type}.`);
  return data.response;
}

/** The joined deltas of each item, by its id. */
function joinedDeltas(events: readonly SentEvent[]): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const { data } of events) {
    if ('item_id' in data && 'delta' in data) texts[data.item_id] = (texts[data.item_id] ?? '') + data.delta;
  }
  return texts;
}

/** The text of an output item. */
function textOf(item: ResponseOutputItem): string {
  if (item.type === 'message') return item.content.map((part) => ('text' in part ? part.text : '')).join('');
  if (item.type === 'reasoning') return item.summary.map(({ text }) => text).join('');
  return item.type === 'function_call' ? item.arguments : '';
}

/** A response without ids and time. */
function withoutOwn(response: object): string {
  return JSON.stringify({ ...response, created_at: 0 }).replaceAll(/[0-9a-f]{32}/g, 'id');
}

describe.each(Object.entries(STORIES))('%s', (_, { says, becomes, asks = {} }) => {
  const tell = async () => {
    const app = createResponsesApp();
    app.service.play(says);
    return app.events({ ...GOOD_BODY, ...asks });
  };

  test('consists of typed events that are numbered from 0', async () => {
    const events = await tell();
    const types = ['response.created', 'response.in_progress', ...becomes];
    expect(events.map(({ data }) => data.type)).toEqual(types);
    expect(events.map(({ name }) => name)).toEqual(types);
    expect(events.map(({ data }) => data.sequence_number)).toEqual(types.map((_, index) => index));
  });

  test('has the published form, event by event', async () => {
    const errors = (await tell()).flatMap(({ data }) => publishedFormErrors('ResponseStreamEvent', data));
    expect(errors).toEqual([]);
  });

  test('its deltas join to the output of the last event and of the events that end items', async () => {
    const events = await tell();
    const { output } = lastResponse(events);
    const said = output.filter((item) => textOf(item) !== '').map((item) => [item.id, textOf(item)]);
    expect(joinedDeltas(events)).toEqual(Object.fromEntries(said));
    const ended = events.flatMap(({ data }) => (data.type === 'response.output_item.done' ? [data.item] : []));
    expect(ended).toEqual(output);
    expect(new Set(output.map(({ id }) => id)).size).toBe(output.length);
  });
});

// Before the stream starts, a failure is an HTTP status.
const SUCCESSES = Object.entries(STORIES).filter(([, { becomes }]) => !becomes.includes('error'));

test.each(SUCCESSES)('%s: the stream and the JSON response are the same', async (_, { says, asks = {} }) => {
  const app = createResponsesApp();
  app.service.play(says);
  const response = await (await app.respond({ ...GOOD_BODY, ...asks })).json();
  const streamed = lastResponse(await app.events({ ...GOOD_BODY, ...asks }));
  expect(withoutOwn(response)).toEqual(withoutOwn(streamed));
  expectPublishedForm('Response', response);
});

test('reasoning is a separate item, and a truncated text is incomplete', async () => {
  const app = createResponsesApp();
  app.service.play(STORIES['reasoning, then a text that is cut off']!.says);
  const response = await (await app.respond(GOOD_BODY)).json();
  expect(response).toMatchObject({
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
    output: [
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Well, hm.' }], status: 'completed' },
      { type: 'message', content: [{ type: 'output_text', text: 'Yes' }], status: 'incomplete' },
    ],
    usage: {
      input_tokens: 12,
      input_tokens_details: { cached_tokens: 3 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 17,
    },
  });
});

test('log probabilities are sent only if requested', async () => {
  const app = createResponsesApp();
  const { says, asks } = STORIES['tokens with probabilities']!;
  app.service.play(says);
  const told = { token: 'Hel', logprob: -0.5, bytes: [72, 101, 108] };
  const withThem = await (await app.respond({ ...GOOD_BODY, ...asks })).json();
  expect(withThem.output[0].content[0].logprobs).toEqual([{ ...told, top_logprobs: [told] }]);
  const without = await (await app.respond(GOOD_BODY)).json();
  expect(without.output[0].content[0].logprobs).toEqual([]);
});

test('a failure before the response headers has its own status and names the field of this route', async () => {
  const app = createResponsesApp();
  const error = new ApiError('context_length_exceeded', 'Too long.', { param: 'messages' }).toData();
  app.service.play([{ type: 'error', error }]);
  for (const stream of [true, false]) {
    const response = await app.respond({ ...GOOD_BODY, stream });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'context_length_exceeded', param: 'input' } });
  }
});

test('a failure during a stream is an error event, then a failed response with the output so far', async () => {
  const app = createResponsesApp();
  app.service.play(STORIES['a text that breaks off']!.says);
  const events = await app.events(GOOD_BODY);
  const error = events.at(-2)!.data;
  const { code, message, param } = failure;
  expect(error).toMatchObject({ code, message, param, error: { type: 'server_error', code, message, param } });
  expect(lastResponse(events)).toMatchObject({
    status: 'failed',
    error: { code: 'server_error', message },
    output: [{ status: 'incomplete', content: [{ text: 'Hel' }] }],
  });
});

test('a failure after the headers of a JSON response is a failed response', async () => {
  const app = createResponsesApp({ settings: { headersDelay: 5 } });
  app.service.play([{ type: 'prefill' }]);
  const response = await app.respond(GOOD_BODY, { headers: { [EARLY_HEADERS_HEADER]: '1' } });
  const error = new ApiError('gpu_unavailable', 'The engine is stuck.').toData();
  app.service.completions[0]!.emit({ type: 'error', error });
  const body = await response.json();
  expect(body).toMatchObject({ status: 'failed', error: { code: 'server_error', message: 'The engine is stuck.' } });
  expectPublishedForm('Response', body);
});

test('without output a stream begins with the id, then sends comments', async () => {
  const app = createResponsesApp({ settings: { headersDelay: 5, keepAliveInterval: 5 } });
  app.service.play([{ type: 'queued', position: 1 }]);
  const response = await app.respond({ ...GOOD_BODY, store: false, stream: true });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const first = (await reader.read()).value!;
  expect(readResponseEvents(first).map(({ data }) => data.type)).toEqual(['response.created', 'response.in_progress']);
  expect((await reader.read()).value).toBe(': queued 1\n\n');
  app.service.completions[0]!.emit(...answerIn('Now.'));
  let rest = '';
  for (let read = await reader.read(); !read.done; read = await reader.read()) rest += read.value;
  const numbers = readResponseEvents(rest).map(({ data }) => data.sequence_number);
  expect(numbers).toEqual([2, 3, 4, 5, 6, 7, 8]);
});

test('a call says from which group its tool is, and a request that continues names both', async () => {
  const app = createResponsesApp();
  const search = { type: 'function', name: 'search' };
  const groups = ['git_hub', 'git-lab'].map((name) => ({ type: 'namespace', name, tools: [search] }));
  const tools = [...groups, search];
  const called = ['git_hub__search', 'git_lab__search', 'search'];
  app.service.play([
    delta({ toolCalls: called.map((name, index) => ({ index, id: `${CALL_ID}${index}`, name, arguments: '{}' })) }),
    ...ending('tool_calls'),
  ]);
  const { output } = (await (await app.respond({ ...GOOD_BODY, tools })).json()) as SdkResponse;
  expect(output).toMatchObject([
    { name: 'search', namespace: 'git_hub' },
    { name: 'search', namespace: 'git-lab' },
    { name: 'search' },
  ]);
  expect(output[2]).not.toHaveProperty('namespace');
  const outputs = called.map((_, index) => ({
    type: 'function_call_output',
    call_id: `${CALL_ID}${index}`,
    output: 'None.',
  }));
  const { messages } = await app.received({ tools, input: [...output, ...outputs] });
  expect(messages[0]).toMatchObject({ toolCalls: called.map((name) => ({ name })) });
});
