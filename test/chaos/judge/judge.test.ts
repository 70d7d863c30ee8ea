import { expect, test } from 'vitest';
import { ApiError } from '../../../src/shared/api-error.ts';
import type { Answer } from './apis/api.ts';
import type { PageReply } from '../in-page/ask.ts';
import { BYPASSED, judge, type Expectation, type Harm } from './judge.ts';
import { malformed } from './questions.ts';

function recorded(text: string, promptTokens: number): Answer {
  return { model: 'pocket', choices: [{ role: 'assistant', text, finishReason: 'stop' }], usage: [promptTokens, 3] };
}

const RIGHT = new Map<string, Answer>([
  ['one', recorded('The first.', 5)],
  ['two', recorded('The second.', 6)],
]);

const JSON_ANSWER: Expectation = {
  type: 'answer',
  api: 'chat completions',
  stream: false,
  question: 'one',
  resumes: false,
};
const STREAM: Expectation = { type: 'answer', api: 'chat completions', stream: true, question: 'one', resumes: false };
const BACKGROUND: Expectation = { ...JSON_ANSWER, api: 'background responses' };
const RESUMED: Expectation = { ...STREAM, resumes: true };
const WRONG_KEY: Expectation = { type: 'refusal', refusal: malformed('pocket').find(({ status }) => status === 401)! };

const UNHARMED: Harm = {
  tab: false,
  reload: false,
  frozen: false,
  serviceWorker: false,
  causes: new Set(),
  endpoint: false,
};

function reply(fields: Partial<PageReply>): PageReply {
  return {
    stage: 'whole',
    status: 200,
    contentType: 'application/json',
    retryAfter: null,
    isFinal: false,
    body: '',
    failure: null,
    controlled: true,
    bypassed: false,
    ...fields,
  };
}

const IDENTITY = { id: 'chatcmpl-1', created: 7, model: 'pocket' };

function document(content: string, fields: object = {}): string {
  return JSON.stringify({
    ...IDENTITY,
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 5, completion_tokens: 3 },
    ...fields,
  });
}

const error = (code: string) => JSON.stringify({ error: { code } });

function failedResponse(message: string): string {
  return JSON.stringify({
    id: 'resp_1',
    object: 'response',
    status: 'failed',
    model: 'pocket',
    output: [],
    error: { code: 'server_error', message },
  });
}

function chunk(delta: object, finish_reason: string | null = null): string {
  return JSON.stringify({
    ...IDENTITY,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason }],
  });
}

function events(pieces: readonly string[], last: string): string {
  const chunks = pieces.map((content, place) => chunk({ ...(place === 0 && { role: 'assistant' }), content }));
  return [...chunks, ...(last === '[DONE]' ? [chunk({}, 'stop')] : []), ...(last === '' ? [] : [last])]
    .map((data) => `data: ${data}\n\n`)
    .join('');
}

const stream = (pieces: readonly string[], last: string, fields: Partial<PageReply> = {}) =>
  reply({ contentType: 'text/event-stream; charset=utf-8', body: events(pieces, last), ...fields });

/** A chunk of another stream. */
const mixed = (id: string) =>
  JSON.stringify({
    ...IDENTITY,
    id: `chatcmpl-${id}`,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: { content: ' first.' }, finish_reason: 'stop' }],
  });

const BROKEN = { stage: 'broken body', failure: 'TypeError: network error' } as const;
const NO_HEAD = { stage: 'no head', status: null, failure: 'TypeError: Failed to fetch' } as const;

test.for<[what: string, expected: Expectation, reply: PageReply | null, harm: Partial<Harm>, outcome: string]>([
  ['the recorded answer', JSON_ANSWER, reply({ body: document('The first.') }), {}, 'right'],
  ['the recorded answer in pieces', STREAM, stream(['The', ' first.'], '[DONE]'), {}, 'right'],
  ['an error that is expected', WRONG_KEY, reply({ status: 401, body: error('invalid_api_key') }), {}, 'refused'],
  [
    'a queue that a crowd has filled',
    JSON_ANSWER,
    reply({ status: 429, retryAfter: '1', body: error('rate_limit_exceeded') }),
    { causes: new Set(['crowd']) },
    '429 rate_limit_exceeded',
  ],
  [
    'a late error after its engine ended',
    JSON_ANSWER,
    reply({ body: `\n${error('engine_unavailable')}` }),
    { causes: new Set(['engine ended']) },
    '200 engine_unavailable',
  ],
  [
    'a stream that ended with its engine',
    STREAM,
    stream(['The'], error('engine_unavailable')),
    { causes: new Set(['engine ended']) },
    '200 engine_unavailable',
  ],
  [
    'an error in the background after its engine ended',
    BACKGROUND,
    reply({ body: failedResponse('The engine ended.') }),
    { causes: new Set(['engine ended']) },
    '200 server_error',
  ],
  ['a stream cut off with its service worker', STREAM, stream(['The'], '', BROKEN), { serviceWorker: true }, 'cut off'],
  [
    'a resumed stream cut off with its service worker and its engine',
    RESUMED,
    stream(['The'], '', BROKEN),
    { serviceWorker: true, causes: new Set(['engine ended']) },
    'cut off',
  ],
  ['a stream to a frozen tab', STREAM, stream(['The'], '', BROKEN), { frozen: true }, 'cut off from a frozen tab'],
  ['a page that was closed during the request', JSON_ANSWER, null, { tab: true }, 'lost with its tab'],
  ['a page that had to reload', JSON_ANSWER, null, { reload: true }, 'its page loaded itself anew'],
  [
    'a model whose files cannot be fetched during an outage, which no retry repairs',
    JSON_ANSWER,
    reply({ status: 503, isFinal: true, body: error('model_load_failed') }),
    { causes: new Set(['outage']) },
    '503 model_load_failed',
  ],
  [
    'the same by Messages, whose errors have types instead of codes',
    JSON_ANSWER,
    reply({ status: 503, isFinal: true, body: JSON.stringify({ type: 'error', error: { type: 'overloaded_error' } }) }),
    { causes: new Set(['no room']) },
    '503 model_load_failed',
  ],
  [
    'a page that bypassed its service worker',
    JSON_ANSWER,
    reply({ status: 404, body: error('unknown_url'), bypassed: true }),
    {},
    BYPASSED,
  ],
  [
    'a refusal to a page that bypassed its service worker',
    WRONG_KEY,
    reply({ status: 404, body: error('unknown_url'), bypassed: true }),
    {},
    BYPASSED,
  ],
  [
    'a page that bypassed its service worker without a network',
    STREAM,
    reply({ ...NO_HEAD, bypassed: true }),
    {},
    BYPASSED,
  ],
  ['an unreachable server', JSON_ANSWER, reply({ ...NO_HEAD, controlled: false }), { endpoint: true }, 'endpoint away'],
  [
    'a page that was reloaded during the request',
    STREAM,
    stream(['The'], '', { ...BROKEN, failure: 'TimeoutError: late' }),
    {},
    'left',
  ],
])('a request with %s is not a failure', ([, expected, reply, harm, outcome]) => {
  expect(judge(expected, reply, { ...UNHARMED, ...harm }, RIGHT)).toMatchObject({ outcome, failed: false });
});

test.for<[what: string, expected: Expectation, reply: PageReply | null, harm: Partial<Harm>, outcome: string]>([
  ["another's answer", JSON_ANSWER, reply({ body: document('The second.') }), {}, 'mixed-up answer'],
  ['another text', JSON_ANSWER, reply({ body: document('The first') }), {}, 'wrong answer'],
  ['another model', JSON_ANSWER, reply({ body: document('The first.', { model: 'other' }) }), {}, 'wrong model'],
  ['an id of another kind', JSON_ANSWER, reply({ body: document('The first.', { id: 'resp_1' }) }), {}, 'wrong order'],
  ['two streams in one', STREAM, stream(['The'], mixed('other')), {}, 'wrong order'],
  [
    'a full queue without a crowd',
    JSON_ANSWER,
    reply({ status: 429, retryAfter: '1', body: error('rate_limit_exceeded') }),
    { causes: new Set(['engine ended']) },
    'unexplained 429 rate_limit_exceeded',
  ],
  [
    'an error without a fault',
    STREAM,
    stream(['The'], error('engine_unavailable')),
    {},
    'unexplained 200 engine_unavailable',
  ],
  ['a missing piece', STREAM, stream(['The', 'first.'], '[DONE]'), {}, 'wrong answer'],
  ['a repeated piece', STREAM, stream(['The', ' first.', ' first.'], '[DONE]'), {}, 'wrong answer'],
  [
    'other usage',
    JSON_ANSWER,
    reply({ body: document('The first.', { usage: { prompt_tokens: 9, completion_tokens: 3 } }) }),
    {},
    'wrong usage',
  ],
  [
    'an incomplete document',
    JSON_ANSWER,
    reply({ body: document('The first.').slice(0, 30) }),
    {},
    'broken JSON answer',
  ],
  [
    'an invalid document',
    JSON_ANSWER,
    reply({ ...BROKEN }),
    { causes: new Set(['engine ended']) },
    'broken JSON answer',
  ],
  ['no head', JSON_ANSWER, reply({ ...NO_HEAD }), {}, 'broken JSON answer'],
  [
    'a resumed stream cut off with its service worker',
    RESUMED,
    stream(['The'], '', BROKEN),
    { serviceWorker: true },
    'broken stream',
  ],
  ['a resumed stream to a frozen tab', RESUMED, stream(['The'], '', BROKEN), { frozen: true }, 'broken stream'],
  ['a broken stream', STREAM, stream(['The'], '', BROKEN), { causes: new Set(['engine ended']) }, 'broken stream'],
  ['a frozen tab without response headers', STREAM, reply({ ...NO_HEAD }), { frozen: true }, 'broken stream'],
  [
    'a stream to a frozen tab that ends without an error',
    STREAM,
    stream(['The'], ''),
    { frozen: true },
    'stream without an end',
  ],
  ['a stream that ends without an error', STREAM, stream(['The'], ''), {}, 'stream without an end'],
  ['a stream with a wrong beginning', STREAM, stream(['A'], '', BROKEN), { serviceWorker: true }, 'wrong beginning'],
  ['an internal error', JSON_ANSWER, reply({ status: 500, body: error('internal_error') }), {}, '500'],
  ['a late internal error', JSON_ANSWER, reply({ body: error('internal_error') }), {}, '500 in a 200'],
  [
    'an internal error in the background',
    BACKGROUND,
    reply({ body: failedResponse(ApiError.from(new Error('broken')).message) }),
    { causes: new Set(['engine ended']) },
    '500 in a 200',
  ],
  ['a late refusal', JSON_ANSWER, reply({ body: error('invalid_type') }), {}, 'wrongly refused: 200 invalid_type'],
  ['an internal error as an event', STREAM, stream([], error('internal_error')), {}, '500 in a 200'],
  [
    'a 503 without a time to retry',
    JSON_ANSWER,
    reply({ status: 503, body: error('x') }),
    {},
    '503 without Retry-After',
  ],
  [
    'a 503 that a retry may repair, and that says no retry helps',
    JSON_ANSWER,
    reply({ status: 503, isFinal: true, body: error('engine_unavailable') }),
    { causes: new Set(['engine ended']) },
    '503 without Retry-After',
  ],
  ['an answer to a bad request', WRONG_KEY, reply({ body: document('The first.') }), {}, 'not refused'],
  ['another refusal', WRONG_KEY, reply({ status: 400, body: error('invalid_json') }), {}, 'refused otherwise'],
  ['a page that was lost without a cause', JSON_ANSWER, null, {}, 'tab lost by itself'],
  [
    'a response of the web server',
    JSON_ANSWER,
    reply({ status: 404, body: error('unknown_url') }),
    {},
    'endpoint lost',
  ],
  ['a refusal by the web server', WRONG_KEY, reply({ status: 404, body: error('unknown_url') }), {}, 'endpoint lost'],
])('a request with %s is a failure', ([, expected, reply, harm, outcome]) => {
  expect(judge(expected, reply, { ...UNHARMED, ...harm }, RIGHT)).toMatchObject({ outcome, failed: true });
});
