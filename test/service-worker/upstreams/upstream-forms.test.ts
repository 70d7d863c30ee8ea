import { expect, test } from 'vitest';
import { encodeUpstreamBody } from '../../../src/service-worker/upstreams/upstream-body.ts';
import { readUpstreams } from '../../../src/shared/upstreams/upstream.ts';

const [upstream] = readUpstreams([
  { name: 'desk', baseUrl: 'http://desk.test/v1', models: ['big'], when: 'upstream', timeout: 1 },
]);

/** The body that a client gets of the body of an upstream, and the error that ended it. */
async function answerOf(
  body: BodyInit,
  { isStream = true, choices = 1, path = '/chat/completions', status = 200 } = {},
): Promise<{ readonly text: string; readonly code: string | null }> {
  const options = { isStream, choices, path, upstream: upstream!, interval: 1000 };
  const texts = encodeUpstreamBody(Promise.resolve(new Response(body, { status })), options);
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
const TEXT = { object: 'chat.completion.chunk', choices: [{ text: 'Hi', finish_reason: 'stop' }] };
const REST = { object: 'chat.completion.chunk', choices: [{ text: '', finish_reason: null }], usage: {} };

const lines = (...documents: readonly object[]) => documents.map((document) => JSON.stringify(document)).join('\n');
const lacking = ({ choices: [choice], ...answer }: { readonly choices: readonly object[] }) => ({
  ...answer,
  choices: [{ ...choice, finish_reason: null }],
});

test.each<[name: string, body: string, events: readonly unknown[]]>([
  ['a JSON answer', JSON.stringify(ANSWER), [CHUNK]],
  ['a JSON answer of many lines', JSON.stringify(ANSWER, null, 2), [CHUNK]],
  [
    'a JSON answer without the indices of its choices',
    JSON.stringify({ choices: [{ message: { content: 'Hi' } }, { message: { content: 'Ho' } }] }),
    [
      {
        object: 'chat.completion.chunk',
        choices: [
          { index: 0, delta: { content: 'Hi' } },
          { index: 1, delta: { content: 'Ho' } },
        ],
      },
    ],
  ],
  [
    'a JSON answer of texts',
    JSON.stringify({ object: 'text_completion', choices: [{ index: 0, text: 'Hi', finish_reason: 'stop' }] }),
    [{ object: 'text_completion', choices: [{ index: 0, text: 'Hi', finish_reason: 'stop' }] }],
  ],
  ['JSON lines', `${JSON.stringify(LINE)}\n`, [LINE]],
  ['JSON lines whose last one has no line end', lines(TEXT, REST), [TEXT, REST]],
  ['a JSON answer without a reason', JSON.stringify(lacking(ANSWER)), [lacking(CHUNK)]],
  ['JSON of an unknown form', '{"reply":"Hi"}', [{ reply: 'Hi' }]],
  ['JSON of an unknown form with a line end', '{\n"reply":"Hi"\n}\n', [{ reply: 'Hi' }]],
])('%s becomes a stream of events if a stream was asked', async (_name, body, events) => {
  const { text, code } = await answerOf(body);
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
  expect(await answerOf(body)).toEqual({ text: body.replaceAll('\r', '\n'), code: null });
});

test.each<[name: string, body: string, words: string]>([
  ['a page', '<!doctype html>\n<title>Sign in</title>', '<!doctype html>\\n<title>Sign in</title>'],
  ['plain text', 'The model is asleep.', 'The model is asleep.'],
  ['JSON that breaks off', '{"choices":[', 'broke off'],
  ['JSON lines that break off', '{"message":{"content":"H"},"done":false}\n', 'broke off'],
  ['chunks in JSON lines that break off', '{"choices":[{"delta":{"content":"H"}}]}\n', 'broke off'],
  ['texts in JSON lines that break off', '{"choices":[{"text":"H","index":0,"finish_reason":null}]}\n', 'broke off'],
  ['a text in JSON that breaks off', '{"choices":[{"text":"H","index":0,"finish_reason":null}]}', 'broke off'],
  ['events without an end', 'data: {"choices":[{"finish_reason":""}]}\n\n', 'broke off'],
  ['events that say that there is no error', 'data: {"error":null,"choices":[{"delta":{}}]}\n\n', 'broke off'],
  ['nothing', '', 'broke off'],
])('%s ends in one error event with an explanation', async (_name, body, words) => {
  const { text, code } = await answerOf(body);
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
  expect((await answerOf(body, { choices: 2 })).code).toBe(code);
});

/** A body of a server that never closes its connection, or breaks it. */
function bodyOf(text: string, then: 'stays open' | 'breaks'): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
    pull: (controller) =>
      then === 'breaks' ? controller.error(new TypeError('terminated')) : new Promise<void>(() => {}),
  });
}

test.each<[name: string, then: 'stays open' | 'breaks', text: string]>([
  ['stays open after the word for the end', 'stays open', `${finish(0)}data: [DONE]\n\n`],
  ['stays open after both in one event', 'stays open', `${delta(0)}data: [DONE]\n\n: bye\n\n`],
  ['breaks after the word for the end', 'breaks', `${finish(0)}data: [DONE]\n\n`],
  ['breaks after the last chunk, without a word for the end', 'breaks', finish(0)],
  ['breaks within a comment after the last chunk', 'breaks', `${finish(0)}: by`],
  ['breaks after an end of the Messages API', 'breaks', 'data: {"type":"message_stop"}\n\n'],
])('a connection that %s leaves a whole answer whole', async (_name, then, text) => {
  const answer = await answerOf(bodyOf(text, then));
  expect([answer.code, text.startsWith(answer.text)]).toEqual([null, true]);
  expect(answer.text).not.toBe('');
});

test('a connection that breaks before the end is an error event', async () => {
  expect((await answerOf(bodyOf(delta(0), 'breaks'))).code).toBe('upstream_failed');
});

test.each<[name: string, body: string, words: string]>([
  ['a page', '<!doctype html>\n<title>Sign in</title>', 'Sign in'],
  ['a page after blanks', '\n\n <html>Sign in</html>', 'Sign in'],
  ['events', 'data: {"choices":[]}\n\ndata: [DONE]\n\n', '[DONE]'],
  ['plain text', 'The model is asleep.', 'The model is asleep.'],
  ['blanks', ' \n', 'broke off'],
])('%s in place of a JSON answer is an error with its words', async (_name, body, words) => {
  const { text, code } = await answerOf(body, { isStream: false });
  expect(code).toBe('upstream_failed');
  const { error } = JSON.parse(text) as { error: { message: string } };
  expect(error.message).toContain(words);
});

test.each(['\ufeff{"id":"c"}', '\n \n{"id":"c"}', '[{"id":"c"}]'])('the JSON answer %j is passed on', async (body) => {
  const { text, code } = await answerOf(body, { isStream: false });
  expect([text, code]).toEqual([body.replace('\ufeff', ''), null]);
});

test('an error in a stream of the Responses API has the type and the number that its clients look for', async () => {
  const begin = 'event: response.created\ndata: {"type":"response.created","sequence_number":0}\n\n';
  const { text } = await answerOf(begin, { path: '/responses' });
  const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(text.trimEnd().split('\n\n').at(-1)!)!;
  const error = { type: 'server_error', code: 'upstream_failed', param: null };
  expect([name, JSON.parse(data!)]).toMatchObject([
    'error',
    { type: 'error', sequence_number: 1, code: 'upstream_failed', error },
  ]);
});

test.each<[name: string, end: 'stays open' | 'breaks' | 'never ends']>([
  ['breaks', 'breaks'],
  ['goes silent', 'stays open'],
  ['never ends', 'never ends'],
])('an error whose body %s is told with the words that came', async (_name, end) => {
  const piece = new Uint8Array(1024 * 1024).fill(0x20);
  let pulls = 0;
  // Silent after 64 MB, so that a reader of all of it ends some time.
  const endless = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('Out of memory.')),
    pull: (controller) => (pulls++ < 64 ? controller.enqueue(piece) : new Promise<void>(() => {})),
  });
  const body = end === 'never ends' ? endless : bodyOf('Out of memory.', end);
  const { text, code } = await answerOf(body, { status: 500 });
  expect([code, text.includes('desk answers 500: Out of memory.'), pulls < 20]).toEqual([
    'upstream_failed',
    true,
    true,
  ]);
});
