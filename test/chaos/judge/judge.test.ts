import { expect, test } from 'vitest';
import type { Answer } from './answer.ts';
import type { PageReply } from '../in-page/ask.ts';
import { BYPASSED, judge, type Expectation, type Harm } from './judge.ts';
import { malformed } from './questions.ts';

const RIGHT = new Map<string, Answer>([
  ['one', { choices: [{ text: 'The first.', finishReason: 'stop' }], usage: [5, 3] }],
  ['two', { choices: [{ text: 'The second.', finishReason: 'stop' }], usage: [6, 3] }],
]);

const JSON_ANSWER: Expectation = { type: 'answer', stream: false, question: 'one' };
const STREAM: Expectation = { type: 'answer', stream: true, question: 'one' };
const WRONG_KEY: Expectation = { type: 'refusal', refusal: malformed('pocket').find(({ status }) => status === 401)! };

const UNHARMED: Harm = {
  tab: false,
  reload: false,
  frozen: false,
  serviceWorker: false,
  engine: false,
  endpoint: false,
};

function reply(fields: Partial<PageReply>): PageReply {
  return {
    stage: 'whole',
    status: 200,
    contentType: 'application/json',
    retryAfter: null,
    body: '',
    failure: null,
    controlled: true,
    bypassed: false,
    ...fields,
  };
}

function document(content: string, usage: object = { prompt_tokens: 5, completion_tokens: 3 }): string {
  return JSON.stringify({ choices: [{ index: 0, message: { content }, finish_reason: 'stop' }], usage });
}

const error = (code: string) => JSON.stringify({ error: { code } });

function events(pieces: readonly string[], last: string): string {
  const chunks = pieces.map((content) => JSON.stringify({ choices: [{ index: 0, delta: { content } }] }));
  const finish = JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  return [...chunks, ...(last === '[DONE]' ? [finish] : []), ...(last === '' ? [] : [last])]
    .map((data) => `data: ${data}\n\n`)
    .join('');
}

const stream = (pieces: readonly string[], last: string, fields: Partial<PageReply> = {}) =>
  reply({ contentType: 'text/event-stream; charset=utf-8', body: events(pieces, last), ...fields });

const BROKEN = { stage: 'broken body', failure: 'TypeError: network error' } as const;
const NO_HEAD = { stage: 'no head', status: null, failure: 'TypeError: Failed to fetch' } as const;

test.for<[what: string, expected: Expectation, reply: PageReply | null, harm: Partial<Harm>, outcome: string]>([
  ['the recorded answer', JSON_ANSWER, reply({ body: document('The first.') }), {}, 'right'],
  ['the recorded answer in pieces', STREAM, stream(['The', ' first.'], '[DONE]'), {}, 'right'],
  ['an error that is expected', WRONG_KEY, reply({ status: 401, body: error('invalid_api_key') }), {}, 'refused'],
  ['a full queue', JSON_ANSWER, reply({ status: 429, retryAfter: '1', body: error('rate') }), {}, '429 rate'],
  ['a late error', JSON_ANSWER, reply({ body: `\n${error('engine_unavailable')}` }), {}, '200 engine_unavailable'],
  ['a stream ended by an error', STREAM, stream(['The'], error('engine_unavailable')), {}, 'event engine_unavailable'],
  ['a stream cut off with its service worker', STREAM, stream(['The'], '', BROKEN), { serviceWorker: true }, 'cut off'],
  ['a stream to a frozen tab', STREAM, stream(['The'], '', BROKEN), { frozen: true }, 'cut off from a frozen tab'],
  ['a page that was closed during the request', JSON_ANSWER, null, { tab: true }, 'lost with its tab'],
  ['a page that had to reload', JSON_ANSWER, null, { reload: true }, 'its page loaded itself anew'],
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
  expect(judge(expected, reply, { ...UNHARMED, ...harm }, RIGHT)).toEqual({ outcome, failed: false });
});

test.for<[what: string, expected: Expectation, reply: PageReply | null, harm: Partial<Harm>, outcome: string]>([
  ["another's answer", JSON_ANSWER, reply({ body: document('The second.') }), {}, 'mixed-up answer'],
  ['another text', JSON_ANSWER, reply({ body: document('The first') }), {}, 'wrong answer'],
  ['a missing piece', STREAM, stream(['The', 'first.'], '[DONE]'), {}, 'wrong answer'],
  ['a repeated piece', STREAM, stream(['The', ' first.', ' first.'], '[DONE]'), {}, 'wrong answer'],
  ['other usage', JSON_ANSWER, reply({ body: document('The first.', { prompt_tokens: 9 }) }), {}, 'wrong usage'],
  [
    'an incomplete document',
    JSON_ANSWER,
    reply({ body: document('The first.').slice(0, 30) }),
    {},
    'broken JSON answer',
  ],
  ['an invalid document', JSON_ANSWER, reply({ ...BROKEN }), { engine: true }, 'broken JSON answer'],
  ['no head', JSON_ANSWER, reply({ ...NO_HEAD }), {}, 'broken JSON answer'],
  ['a broken stream', STREAM, stream(['The'], '', BROKEN), { engine: true }, 'broken stream'],
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
  ['a late refusal', JSON_ANSWER, reply({ body: error('invalid_type') }), {}, 'wrongly refused: 200 invalid_type'],
  ['an internal error as an event', STREAM, stream([], error('internal_error')), {}, '500 as an event'],
  [
    'a 503 without a time to retry',
    JSON_ANSWER,
    reply({ status: 503, body: error('x') }),
    {},
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
