import { expect, test } from 'vitest';
import { withErrorEvent } from '../../../src/command-line/bridge/with-error-event.ts';
import type { HeaderList } from '../../../src/command-line/browser/page-fetch.ts';

const SENTENCE = 'The answer broke off because the page that ran the model went away.';
const OPENAI = { message: SENTENCE, type: 'server_error', param: null, code: 'engine_unavailable' };
const HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', 'x-request-id': 'req_1' };

/** The body of a page that sends these pieces and then breaks off or ends. */
function bodyOf(pieces: readonly string[], end: 'break' | 'close'): ReadableStream<Uint8Array> {
  const rest = pieces.map((piece) => Buffer.from(piece));
  return new ReadableStream(
    {
      pull(controller) {
        const piece = rest.shift();
        if (piece) return controller.enqueue(piece);
        if (end === 'close') return controller.close();
        throw new Error('The page is gone.');
      },
    },
    { highWaterMark: 0 },
  );
}

/** What the client reads, and the error that ends it; null if the body ends without one. */
async function read(body: ReadableStream<Uint8Array>): Promise<{ text: string; error: unknown }> {
  let text = '';
  try {
    for await (const piece of body) text += Buffer.from(piece).toString();
    return { text, error: null };
  } catch (error) {
    return { text, error };
  }
}

test.each<[path: string, headers: HeaderList, name: string | null, data: object]>([
  ['/v1/chat/completions', [], null, { error: OPENAI }],
  ['/v1/completions?a=b', [], null, { error: OPENAI }],
  ['/v1/responses', [], 'error', { ...OPENAI, type: 'error', sequence_number: 8, error: OPENAI }],
  ['/v1/responses/resp_1?stream=true', [], 'error', { type: 'error', sequence_number: 8, code: OPENAI.code }],
  [
    '/v1/messages',
    [],
    'error',
    { type: 'error', error: { type: 'overloaded_error', message: SENTENCE }, request_id: 'req_1' },
  ],
  ['/v1/messages?beta=true', [['Anthropic-Version', '2023-06-01']], 'error', { type: 'error' }],
])('a stream of %s that breaks off ends with an error event, and then fails', async (path, headers, name, data) => {
  const pieces = ['data: {"sequence_number":6}\n\nda', 'ta: {"sequence_number":7,"a":"ä"}\n\ndata: {"sequence_num'];
  const fetch = withErrorEvent(async () => new Response(bodyOf(pieces, 'break'), { headers: HEADERS }));
  const { text, error } = await read((await fetch({ path, headers })).body!);
  expect(error).toMatchObject({ message: 'The page is gone.' });
  const events = text.split('\n\n');
  expect(events.slice(0, 2)).toEqual(['data: {"sequence_number":6}', 'data: {"sequence_number":7,"a":"ä"}']);
  expect(events).toHaveLength(4);
  const lines = events[2]!.split('\n');
  expect(lines.slice(0, -1)).toEqual(name === null ? [] : [`event: ${name}`]);
  expect(JSON.parse(lines.at(-1)!.slice('data: '.length))).toMatchObject(data);
});

test('a stream that ends, and a body that is no stream of events, are passed on unchanged', async () => {
  const pieces = ['data: 1\n', '\ndata: 2'];
  const ended = withErrorEvent(async () => new Response(bodyOf(pieces, 'close'), { headers: HEADERS }));
  expect(await read((await ended({ path: '/v1/responses' })).body!)).toEqual({ text: pieces.join(''), error: null });
  const json = withErrorEvent(async () => new Response(bodyOf(['{'], 'break')));
  expect(await read((await json({ path: '/v1/responses' })).body!)).toMatchObject({
    text: '{',
    error: expect.any(Error),
  });
});

test.each([
  ['/v1/chat/completions', 'data: {"choices":[]}\n\ndata: [DONE]\n\n'],
  ['/v1/completions', 'data: [DONE]\n\n'],
  ['/v1/chat/completions', 'data: {"error":{"code":"engine_timeout"}}\n\n'],
  ['/v1/messages', 'event: message_stop\ndata: {"type":"message_stop"}\n\n'],
  ['/v1/messages', 'event: error\ndata: {"type":"error"}\n\n'],
  ...['completed', 'failed', 'incomplete'].map((end) => ['/v1/responses', `event: response.${end}\ndata: {}\n\n`]),
])('a stream of %s that breaks off after its last event ends without an error: %j', async (path, last) => {
  for (const pieces of [
    ['data: 1\n\n', last!],
    ['data: 1\n\n', last!.slice(0, 9), last!.slice(9)],
    [last!, ': ping\n\n'],
  ]) {
    const fetch = withErrorEvent(async () => new Response(bodyOf(pieces, 'break'), { headers: HEADERS }));
    expect(await read((await fetch({ path: path! })).body!)).toEqual({ text: pieces.join(''), error: null });
  }
});

test.each(['data: {"a":"data: [DONE]"}\n\n', 'event: response.completed_part\ndata: {}\n\n', 'data: {"a":\n\n'])(
  'an event that only quotes the end of a stream is not its end: %j',
  async (event) => {
    const fetch = withErrorEvent(async () => new Response(bodyOf([event], 'break'), { headers: HEADERS }));
    expect((await read((await fetch({ path: '/v1/chat/completions' })).body!)).text).toContain(SENTENCE);
  },
);

test('a client that disconnects gets no event', async () => {
  const leaving = AbortSignal.abort(new Error('The client has left.'));
  const fetch = withErrorEvent(async () => new Response(bodyOf([], 'break'), { headers: HEADERS }));
  const { text } = await read((await fetch({ path: '/v1/messages', signal: leaving })).body!);
  expect(text).toBe('');
});
