import { expect, test } from 'vitest';
import { APIS, type ApiName } from './apis.ts';

const data = (...events: readonly (object | string)[]) =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('');

function chunk(delta: object, finish_reason: string | null = null, fields: object = {}): object {
  const identity = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 7, model: 'pocket' };
  return { ...identity, choices: [{ index: 0, delta, finish_reason }], ...fields };
}

const OPENING = chunk({ role: 'assistant', content: '' });
const TEXT = chunk({ content: 'Seven.' });
const FINISH = chunk({}, 'stop');
const USAGE = chunk({}, null, { choices: [], usage: { prompt_tokens: 5, completion_tokens: 3 } });

const RESPONSE = { id: 'resp_1', object: 'response', status: 'in_progress', model: 'pocket', output: [], usage: null };
const ITEM = { type: 'message', status: 'completed', role: 'assistant', content: [{ text: 'Seven.' }] };
const COMPLETED = {
  ...RESPONSE,
  status: 'completed',
  output: [ITEM],
  usage: { input_tokens: 5, output_tokens: 3 },
};
const RESPONSE_EVENTS = [
  { type: 'response.created', response: RESPONSE },
  { type: 'response.in_progress', response: RESPONSE },
  { type: 'response.output_item.added' },
  { type: 'response.content_part.added' },
  { type: 'response.output_text.delta', delta: 'Sev' },
  { type: 'response.output_text.delta', delta: 'en.' },
  { type: 'response.output_text.done', text: 'Seven.' },
  { type: 'response.content_part.done' },
  { type: 'response.output_item.done' },
  { type: 'response.completed', response: COMPLETED },
];
const numbered = (events: readonly object[]) =>
  data(...events.map((event, sequence_number) => ({ ...event, sequence_number })));

const MESSAGE = { id: 'msg_1', type: 'message', role: 'assistant', model: 'pocket', content: [], stop_reason: null };
const MESSAGE_EVENTS = [
  { type: 'message_start', message: MESSAGE },
  { type: 'content_block_start' },
  { type: 'ping' },
  { type: 'content_block_delta', delta: { text: 'Sev' } },
  { type: 'content_block_delta', delta: { text: 'en.' } },
  { type: 'content_block_stop' },
  {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn' },
    usage: { input_tokens: 2, cache_read_input_tokens: 3, output_tokens: 3 },
  },
  { type: 'message_stop' },
];

const without = (events: readonly object[], place: number) => events.filter((_, index) => index !== place);
const twice = (events: readonly object[], place: number) => events.toSpliced(place, 0, events[place]!);

test.for<[api: ApiName, body: string]>([
  ['chat completions', data(OPENING, TEXT, FINISH, USAGE, '[DONE]')],
  ['responses', numbered(RESPONSE_EVENTS)],
  ['messages', data(...MESSAGE_EVENTS)],
])('a stream of %s is read', ([api, body]) => {
  const reading = APIS[api].readStream(body);
  expect(reading).toMatchObject({ ended: true, error: null, disorder: null });
  expect(reading.answer).toMatchObject({
    model: 'pocket',
    choices: [{ role: 'assistant', text: 'Seven.' }],
    usage: [5, 3],
  });
});

test.for<[what: string, api: ApiName, body: string]>([
  ['text before the role', 'chat completions', data(TEXT, FINISH, '[DONE]')],
  ['a second role', 'chat completions', data(OPENING, OPENING, FINISH, '[DONE]')],
  ['text after the end of its choice', 'chat completions', data(OPENING, FINISH, TEXT, '[DONE]')],
  ['an end before that of its choice', 'chat completions', data(OPENING, TEXT, '[DONE]')],
  ['a chunk after the usage', 'chat completions', data(OPENING, USAGE, FINISH, '[DONE]')],
  ['an event after the end', 'chat completions', data(OPENING, FINISH, '[DONE]', USAGE)],
  [
    'a chunk of another stream',
    'chat completions',
    data(OPENING, chunk({ content: 'x' }, null, { id: 'chatcmpl-2' }), FINISH, '[DONE]'),
  ],
  ['another time of creation', 'chat completions', data(OPENING, chunk({}, 'stop', { created: 8 }), '[DONE]')],
  ['an event left out', 'responses', numbered(without(RESPONSE_EVENTS, 3))],
  ['an event repeated', 'responses', numbered(twice(RESPONSE_EVENTS, 7))],
  ['a piece lost', 'responses', numbered(without(RESPONSE_EVENTS, 5))],
  ['a number left out', 'responses', numbered(RESPONSE_EVENTS).replace('"sequence_number":4', '"sequence_number":9')],
  ['an event of another response', 'responses', numbered(RESPONSE_EVENTS).replace('resp_1', 'resp_2')],
  ['an event left out', 'messages', data(...without(MESSAGE_EVENTS, 1))],
  ['an event repeated', 'messages', data(...twice(MESSAGE_EVENTS, 5))],
  ['an id of another kind', 'messages', data(...MESSAGE_EVENTS).replace('msg_1', 'resp_1')],
])('%s is noticed in a stream of %s', ([, api, body]) => {
  expect(APIS[api].readStream(body).disorder).not.toBeNull();
});

test.for<[api: ApiName, body: string]>([
  ['chat completions', data(OPENING, TEXT, { error: { code: 'engine_unavailable' } })],
  ['responses', numbered([...RESPONSE_EVENTS.slice(0, 4), { type: 'error', code: 'engine_unavailable' }])],
  ['messages', data(...MESSAGE_EVENTS.slice(0, 4), { type: 'error', error: { type: 'engine_unavailable' } })],
])('the error at the end of a stream of %s is read, and the stream has not ended well', ([api, body]) => {
  expect(APIS[api].readStream(body)).toMatchObject({ ended: false, error: 'engine_unavailable', disorder: null });
});

test.for<[what: string, change: (list: string) => string, isRight: boolean]>([
  ['as they are', (list) => list, true],
  ['in another order', (list) => list.replace('"index":0', '"index":1'), false],
  ['with other tokens', (list) => list.replace('"total_tokens":4', '"total_tokens":5'), false],
])('vectors %s are read', ([, change, isRight]) => {
  const vector = { object: 'embedding', index: 0, embedding: 'AAAA' };
  const usage = { prompt_tokens: 4, total_tokens: 4 };
  const list = JSON.stringify({ object: 'list', model: 'pocket-embed', data: [vector], usage });
  expect(APIS.embeddings.readJson(change(list)).disorder === null).toBe(isRight);
});
