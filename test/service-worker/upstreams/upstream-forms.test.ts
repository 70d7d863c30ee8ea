import { expect, test } from 'vitest';
import { encodeUpstreamBody } from '../../../src/service-worker/upstreams/upstream-body.ts';
import { readUpstreams } from '../../../src/shared/upstreams/upstream.ts';

const [upstream] = readUpstreams([{ name: 'desk', baseUrl: 'http://desk.test/v1', models: ['big'], when: 'upstream' }]);

/** The body that a client gets of the body of an upstream, if it asked for a stream, and the error that ended it. */
async function streamOf(body: string, choices = 1): Promise<{ readonly text: string; readonly code: string | null }> {
  const options = { isStream: true, choices, path: '/chat/completions', upstream: upstream!, interval: 1000 };
  const texts = encodeUpstreamBody(Promise.resolve(new Response(body)), options);
  let text = '';
  for (;;) {
    const { done, value } = await texts.next();
    if (done) return { text, code: value?.code ?? null };
    text += value;
  }
}

const ANSWER = {
  id: 'c',
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'Hi', tool_calls: [{ id: 'a', type: 'function' }] },
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 1 },
};
const CHUNK = {
  id: 'c',
  usage: ANSWER.usage,
  object: 'chat.completion.chunk',
  choices: [
    {
      index: 0,
      finish_reason: 'stop',
      delta: { role: 'assistant', content: 'Hi', tool_calls: [{ index: 0, id: 'a', type: 'function' }] },
    },
  ],
};
const LINE = { message: { content: 'Hi' }, done: true };

test.each<[name: string, body: string, events: readonly unknown[]]>([
  ['a JSON answer', JSON.stringify(ANSWER), [CHUNK]],
  ['a JSON answer of many lines', JSON.stringify(ANSWER, null, 2), [CHUNK]],
  ['JSON lines', `${JSON.stringify(LINE)}\n`, [LINE]],
  ['JSON of an unknown form', '{"reply":"Hi"}', [{ reply: 'Hi' }]],
])('%s becomes a stream of events if a stream was asked', async (_name, body, events) => {
  const { text, code } = await streamOf(body);
  const data = text
    .trimEnd()
    .split('\n\n')
    .map((block) => block.slice('data: '.length));
  expect(data.slice(0, -1).map((one) => JSON.parse(one) as unknown)).toEqual(events);
  expect([data.at(-1), code]).toEqual(['[DONE]', null]);
});

test.each<[name: string, body: string]>([
  ['a chunk whose reason has blanks before it', 'data: {"choices": [{"finish_reason" : "stop"}]}\n\n'],
  ['an end of the Messages API', 'event: message_stop\ndata: {"type":"message_stop"}\n\n'],
  ['an error with a type', 'data: {"type":"error","error":{}}\n\n'],
  ['a detail', 'data: {"detail":"No."}\n\n'],
  ['events with carriage returns', 'data: {}\r\rdata: [DONE]\r\r'],
])('%s ends a stream', async (_name, body) => {
  expect(await streamOf(body)).toEqual({ text: body.replaceAll('\r', '\n'), code: null });
});

test.each<[name: string, body: string, words: string]>([
  ['a page', '<!doctype html>\n<title>Sign in</title>', '<!doctype html>\\n<title>Sign in</title>'],
  ['plain text', 'The model is asleep.', 'The model is asleep.'],
  ['JSON that breaks off', '{"choices":[', 'broke off'],
  ['events without an end', 'data: {"choices":[{"finish_reason":""}]}\n\n', 'broke off'],
  ['nothing', '', 'broke off'],
])('%s ends in one error event with an explanation', async (_name, body, words) => {
  const { text, code } = await streamOf(body);
  expect(code).toBe('upstream_failed');
  expect(text).toContain(words);
  const last = text.trimEnd().split('\n\n').at(-1)!;
  expect(JSON.parse(last.slice('data: '.length))).toMatchObject({ error: { code: 'upstream_failed' } });
});

const finish = (index: number) => `data: {"choices":[{"index":${index},"finish_reason":"stop"}]}\n\n`;
const delta = (index: number) => `data: {"choices":[{"index":${index},"delta":{},"finish_reason":null}]}\n\n`;

test.each<[name: string, body: string, code: string | null]>([
  ['each has ended', delta(1) + finish(1) + delta(0) + finish(0), null],
  ['one has ended', finish(0) + delta(1), 'upstream_failed'],
  ['one has ended twice', finish(1) + finish(1), 'upstream_failed'],
  [
    'one chunk ends both',
    'data: {"choices":[{"finish_reason":"stop"},{"index":1,"finish_reason":"length"}]}\n\n',
    null,
  ],
  ['the last ends without a blank line', finish(0) + finish(1).trimEnd(), null],
  ['one has ended, and the stream says so', `${finish(0)}data: [DONE]\n\n`, null],
])('a stream of two choices is complete or not when %s', async (_name, body, code) => {
  expect((await streamOf(body, 2)).code).toBe(code);
});
