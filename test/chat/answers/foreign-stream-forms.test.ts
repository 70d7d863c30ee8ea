import { afterEach, expect, test, vi } from 'vitest';
import { answerRequest } from '../../../src/chat/api/answer-request.ts';
import { ChunkReader } from '../../../src/chat/api/read-chunk.ts';
import { RunningAnswer } from '../../../src/chat/answers/running-answer.ts';
import type { Answer } from '../../../src/chat/types/conversation.ts';
import { sampleAnswer, sampleQuestion } from '../../gallery/samples/conversation.ts';

afterEach(() => vi.unstubAllGlobals());

/** The answer that the page makes of the body of an upstream, which arrives in pieces of `size` bytes. */
async function answerOf(body: string, size: number, status = 200): Promise<Answer> {
  vi.stubGlobal('fetch', async () => {
    const bytes = new TextEncoder().encode(body);
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    );
    return new Response(new Blob(pieces as BlobPart[]).stream().pipeThrough(new TransformStream()), {
      status,
      headers: { 'x-tabserve-engine': 'upstream:office' },
    });
  });
  const answer = sampleAnswer({ text: '', state: 'running', model: 'asked' });
  const running = new RunningAnswer(answer, () => Promise.resolve());
  await running.write(() => answerRequest('asked', [sampleQuestion()], answer.settings, answer.seed));
  return running.answer;
}

const event = (value: unknown): string => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
const stream = (...events: readonly unknown[]): string => events.map(event).join('');
const lines = (...documents: readonly object[]): string => documents.map((one) => `${JSON.stringify(one)}\n`).join('');
const delta = (fields: object, reason: string | null = null) => ({
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: fields, finish_reason: reason }],
});
const message = (fields: object, reason: string | null = null) => ({
  choices: [{ index: 0, message: { role: 'assistant', ...fields }, finish_reason: reason }],
});
const content = (text: string) => delta({ content: text });
const STOP = delta({}, 'stop');

test.each<[name: string, body: string, expected: Partial<Answer>]>([
  // Refusals.
  ['a refusal in one delta', stream(delta({ refusal: 'I cannot.' }), STOP, '[DONE]'), { text: 'I cannot.' }],
  [
    'a refusal in pieces',
    stream(delta({ refusal: 'I ' }), delta({ content: null, refusal: 'cannot.' }), STOP),
    { text: 'I cannot.' },
  ],
  ['a refusal as a part', stream(delta({ content: [{ type: 'refusal', refusal: 'No.' }] }), STOP), { text: 'No.' }],
  ['a refusal in a message', stream(message({ content: null, refusal: 'No.' }, 'stop'), '[DONE]'), { text: 'No.' }],
  [
    'a refusal beside content',
    stream(delta({ content: 'Partly. ', refusal: 'But no.' }), STOP),
    { text: 'Partly. But no.' },
  ],
  [
    'a refusal beside content in a message',
    stream(message({ content: 'Partly.', refusal: 'But no.' }, 'stop')),
    { text: 'Partly.\n\nBut no.' },
  ],
  // Thinking that only ends.
  [
    'a lone closing tag',
    stream(content('First I add.\n</thi'), content('nk>\n\nFour.'), STOP),
    { thinking: 'First I add.\n', text: 'Four.' },
  ],
  [
    'a lone closing tag without line breaks',
    stream(content('Two and two.</think>Four.'), STOP),
    { thinking: 'Two and two.', text: 'Four.' },
  ],
  [
    'a lone closing tag of another name',
    stream(content('Hm.\n</thought>\nFour.'), STOP),
    { thinking: 'Hm.\n', text: 'Four.' },
  ],
  [
    'tags in brackets',
    stream(content('[THINK]Hm.[/TH'), content('INK]Four.'), STOP),
    { thinking: 'Hm.', text: 'Four.' },
  ],
  [
    'a closing tag that the answer is about',
    stream(content('Close it with `</think>`, then write.'), STOP),
    { thinking: '', text: 'Close it with `</think>`, then write.' },
  ],
  [
    'a closing tag within a block of code',
    stream(content('See:\n```\nx</think>\n```\n'), STOP),
    { thinking: '', text: 'See:\n```\nx</think>\n```\n' },
  ],
  // How it ended.
  [
    'a content filter',
    stream(content('Hi'), delta({}, 'content_filter')),
    { text: 'Hi', finishReason: 'stop', isFiltered: true },
  ],
  ['a content filter before any word', stream(delta({}, 'SAFETY')), { text: '', isFiltered: true }],
  ['the length of a server', stream(content('Hi'), delta({}, 'max_output_tokens')), { finishReason: 'length' }],
  ['the window of a server', stream(content('Hi'), delta({}, 'model_length')), { finishReason: 'length' }],
  // A message instead of a delta.
  ['a message', stream(message({ content: 'Hi' }, 'stop'), '[DONE]'), { text: 'Hi' }],
  [
    'messages in pieces',
    stream(message({ content: 'Good ' }), message({ content: 'day' }, 'stop')),
    { text: 'Good day' },
  ],
  [
    'deltas, then the whole message',
    stream(content('Good '), content('day'), message({ content: 'Good day' }, 'stop')),
    { text: 'Good day' },
  ],
  [
    'deltas with a blank before them, then the whole message',
    stream(content(' Hello'), content(' world'), message({ content: 'Hello world' }, 'stop')),
    { text: ' Hello world' },
  ],
  [
    'deltas with blanks around them, then a longer message',
    stream(content('\n Hello '), message({ content: 'Hello world' }, 'stop')),
    { text: '\n Hello world' },
  ],
  [
    'an empty delta beside a message',
    stream({ choices: [{ delta: { content: '' }, message: { content: 'Hi' }, finish_reason: 'stop' }] }),
    { text: 'Hi', state: 'complete' },
  ],
  [
    'a delta of a role beside a message',
    stream({ choices: [{ delta: { role: 'assistant', content: null }, message: { content: 'Hi' } }] }, STOP),
    { text: 'Hi', state: 'complete' },
  ],
  [
    'a delta beside an empty message',
    stream({ choices: [{ delta: { content: 'Hi' }, message: { content: '' } }] }, STOP),
    { text: 'Hi' },
  ],
  ['text instead of a delta', stream({ choices: [{ text: 'Hi', finish_reason: 'stop' }] }), { text: 'Hi' }],
  // Thinking and content in parts.
  [
    'thinking as parts',
    stream(delta({ thinking: [{ type: 'thinking', thinking: 'Hm' }] }), content('Hi'), STOP),
    { thinking: 'Hm' },
  ],
  ['reasoning as an object', stream(delta({ reasoning: { content: 'Hm' } }), content('Hi'), STOP), { thinking: 'Hm' }],
  ['content as one object', stream(delta({ content: { type: 'text', text: 'Hi' } }), STOP), { text: 'Hi' }],
  [
    'content in parts of output',
    stream(delta({ content: [{ type: 'output_text', text: { value: 'Hi' } }] }), STOP),
    { text: 'Hi' },
  ],
  // Line ends, comments, fields.
  ['carriage returns as line ends', stream(content('Hi'), STOP, '[DONE]').replaceAll('\n', '\r'), { text: 'Hi' }],
  ['carriage returns and line feeds', stream(content('Hi'), STOP, '[DONE]').replaceAll('\n', '\r\n'), { text: 'Hi' }],
  [
    'data of several lines, with comments',
    `: hello\nevent: message\ndata: {"choices": [{"delta":\ndata:  {"content": "Hi"}}]}\nretry: 10\n\n${event(STOP)}`,
    { text: 'Hi' },
  ],
  // JSON instead of a stream.
  ['one JSON answer', JSON.stringify(message({ content: 'Hi' }, 'stop')), { text: 'Hi' }],
  [
    'one JSON answer of many lines',
    `\n${JSON.stringify(message({ content: 'Hi' }, 'stop'), null, 2)}\n`,
    { text: 'Hi' },
  ],
  [
    'JSON lines',
    lines(
      { message: { content: 'Hi ' }, done: false },
      { message: { content: 'you' }, done: true, done_reason: 'stop' },
    ),
    { text: 'Hi you' },
  ],
  [
    'JSON lines with thinking and length',
    lines(
      { message: { content: '', thinking: 'Hm' } },
      { message: { content: 'Hi' } },
      { message: { content: '' }, done: true, done_reason: 'length' },
    ),
    { text: 'Hi', thinking: 'Hm', finishReason: 'length' },
  ],
  ['JSON lines of chunks', lines(content('Hi'), STOP), { text: 'Hi' }],
  [
    'a list of JSON documents',
    JSON.stringify([
      { candidates: [{ content: { parts: [{ text: 'Hi ' }] } }] },
      { candidates: [{ content: { parts: [{ text: 'you' }] }, finishReason: 'STOP' }] },
    ]),
    { text: 'Hi you' },
  ],
  // Other interfaces.
  [
    'events of the Messages API',
    `event: content_block_delta\n${event({ type: 'content_block_delta', delta: { type: 'thinking_delta', thinking: 'Hm' } })}${event({ type: 'content_block_delta', delta: { type: 'text_delta', text: 'Hi' } })}${event({ type: 'message_delta', delta: { stop_reason: 'end_turn' } })}`,
    { text: 'Hi', thinking: 'Hm' },
  ],
  [
    'events of the Responses API',
    stream(
      { type: 'response.output_text.delta', delta: 'Hi' },
      { type: 'response.completed', response: { output: [] } },
    ),
    { text: 'Hi' },
  ],
  // Usage.
  [
    'usage alone, under other names',
    stream(content('Hi'), STOP, { choices: [], usage: { input_tokens: 3, output_tokens: 1 } }, '[DONE]'),
    { text: 'Hi', promptTokens: 3, completionTokens: 1 },
  ],
])('%s is read', async (_name, body, expected) => {
  for (const size of [1, 7, 100_000])
    expect(await answerOf(body, size)).toMatchObject({
      state: 'complete',
      error: null,
      finishReason: 'stop',
      thinking: '',
      ...expected,
    });
});

const TOO_MANY = 'Slow down.';

test.each<[name: string, error: unknown, code: string, message: string]>([
  ['a number as code', { error: { code: 429, message: TOO_MANY } }, 'rate_limit_exceeded', TOO_MANY],
  ['a type', { error: { type: 'rate_limit_error', message: TOO_MANY } }, 'rate_limit_exceeded', TOO_MANY],
  [
    'a type of event',
    { type: 'error', error: { type: 'rate_limit_error', message: TOO_MANY } },
    'rate_limit_exceeded',
    TOO_MANY,
  ],
  ['a status', { error: { status: 'RESOURCE_EXHAUSTED', message: TOO_MANY } }, 'rate_limit_exceeded', TOO_MANY],
  ['a quota', { error: { code: 'insufficient_quota', message: TOO_MANY } }, 'rate_limit_exceeded', TOO_MANY],
  ['a code beside the message', { code: '429', message: TOO_MANY }, 'rate_limit_exceeded', TOO_MANY],
  ['a list', [{ error: { code: 429, message: TOO_MANY } }], 'rate_limit_exceeded', TOO_MANY],
  ['an error of a choice', { choices: [{ error: { code: 429, message: TOO_MANY } }] }, 'rate_limit_exceeded', TOO_MANY],
  [
    'details',
    { detail: [{ msg: 'Field required' }, { msg: 'Too long' }] },
    'upstream_failed',
    'Field required Too long',
  ],
  ['a detail', { detail: 'No such model.' }, 'upstream_failed', 'No such model.'],
  ['a list of errors', { errors: [{ message: 'Out of memory.' }] }, 'upstream_failed', 'Out of memory.'],
  [
    'an error within an error',
    { error: { error: { message: 'Out of memory.' } } },
    'upstream_failed',
    'Out of memory.',
  ],
  [
    'a failed response',
    { type: 'response.failed', response: { error: { message: 'Out of memory.' } } },
    'upstream_failed',
    'Out of memory.',
  ],
  [
    'a status of its own',
    { base_resp: { status_code: 1008, status_msg: 'No credit.' } },
    'upstream_failed',
    'No credit.',
  ],
  ['a reason of an end', delta({}, 'network_error'), 'upstream_failed', 'network_error'],
])('an error in mid-stream, told by %s, is told as what it is', async (_name, error, code, message) => {
  for (const size of [1, 100_000])
    expect(await answerOf(stream(content('Hi'), error), size)).toMatchObject({
      state: 'failed',
      text: 'Hi',
      error: { code, message: expect.stringContaining(message) as string },
    });
});

test('the data of an event with the name error are an error, whatever their form', async () => {
  expect(await answerOf(`${event(content('Hi'))}event: error\ndata: The disk is full.\n\n`, 9)).toMatchObject({
    state: 'failed',
    text: 'Hi',
    error: { code: 'upstream_failed', message: 'The disk is full.' },
  });
});

test.each<[name: string, status: number, body: object, code: string]>([
  ['a 429', 429, { error: { message: TOO_MANY, type: 'requests' } }, 'rate_limit_exceeded'],
  [
    'a 429 with a code of the server',
    429,
    { error: { message: TOO_MANY, code: 'tokens_per_minute' } },
    'rate_limit_exceeded',
  ],
  ['a 402', 402, { error: { message: TOO_MANY, code: 'no_credit' } }, 'upstream_failed'],
])('%s before the stream is told as what it is', async (_name, status, body, code) => {
  expect(await answerOf(JSON.stringify(body), 100, status)).toMatchObject({
    state: 'failed',
    text: '',
    error: { code, message: TOO_MANY },
  });
});

test.each<[name: string, body: string, text: string]>([
  [
    'other events',
    stream({ token: { id: 7, text: 'Good ' } }, { token: { id: 8, text: 'day' } }, '[DONE]'),
    'Good day',
  ],
  ['an unknown field of the delta', stream(delta({ utterance: 'Good day' }), STOP, '[DONE]'), 'Good day'],
  ['JSON of an unknown form', '{"id":"c","reply":{"words":"Good day"}}', 'Good day'],
  ['plain text', 'Good day\nand good night', 'Good day\nand good night'],
  ['events of plain text', 'data: Good day\n\ndata: [DONE]\n\n', 'Good day'],
  ['a page', '<!doctype html>\n<p>Good day</p>', '<!doctype html>\n<p>Good day</p>'],
])('an answer of unknown form (%s) is shown as text with a notice', async (_name, body, text) => {
  for (const size of [1, 100_000])
    expect(await answerOf(body, size)).toMatchObject({
      state: 'failed',
      text,
      error: { code: 'upstream_failed', message: expect.stringMatching(/form/) as string },
    });
});

test('the words of an answer of unknown form are shown also if it ends in an error', async () => {
  expect(await answerOf(stream({ reply: 'Good day' }, { error: 'It broke off.' }), 9)).toMatchObject({
    state: 'failed',
    text: 'Good day',
    error: { code: 'upstream_failed', message: 'It broke off.' },
  });
});

const called = (name: string, more: object = {}) => ({ function: { name, arguments: {} }, ...more });

test.each<[name: string, deltas: readonly object[], calls: readonly (readonly [index: number, name: string])[]]>([
  [
    'in two deltas',
    [{ tool_calls: [called('one', { id: 'a' })] }, { tool_calls: [called('two', { id: 'b' })] }],
    [
      [0, 'one'],
      [1, 'two'],
    ],
  ],
  [
    'without ids',
    [{ tool_calls: [called('one')] }, { tool_calls: [called('two')] }],
    [
      [0, 'one'],
      [1, 'two'],
    ],
  ],
  [
    'in one delta',
    [{ tool_calls: [called('one'), called('two')] }],
    [
      [0, 'one'],
      [1, 'two'],
    ],
  ],
  ['as an object', [{ tool_calls: called('one') }], [[0, 'one']]],
  ['without an inner object', [{ tool_calls: [{ name: 'one', arguments: {} }] }], [[0, 'one']]],
  ['as an older call', [{ function_call: { name: 'one', arguments: '{}' } }], [[0, 'one']]],
])('complete calls without an index (%s) are calls of their own', (_name, deltas, calls) => {
  const reader = new ChunkReader();
  const pieces = deltas.flatMap(
    (fields) => reader.read({ name: '', data: JSON.stringify(delta(fields)) })?.pieces ?? [],
  );
  const told = pieces.map((piece) => piece.type === 'tool-call' && [piece.index, piece.name, piece.text]);
  expect(told).toEqual(calls.map(([index, name]) => [index, name, '{}']));
});

test('a call in pieces without an index is one call', () => {
  const reader = new ChunkReader();
  const deltas = [
    { tool_calls: [{ id: 'a', function: { name: 'one', arguments: '{"x"' } }] },
    { tool_calls: [{ id: 'a', function: { arguments: ':1' } }] },
    { tool_calls: [{ function: { arguments: '}' } }] },
  ];
  const pieces = deltas.flatMap(
    (fields) => reader.read({ name: '', data: JSON.stringify(delta(fields)) })?.pieces ?? [],
  );
  expect(pieces).toMatchObject([
    { index: 0, text: '{"x"' },
    { index: 0, text: ':1' },
    { index: 0, text: '}' },
  ]);
});

test('an answer that is continued and then ends its thinking without having begun it has both parts', async () => {
  const body = stream(content('I ponder'), content(' more.'), content('</think>Four.'), STOP, '[DONE]');
  const headers = { 'x-tabserve-engine': 'upstream:office' };
  vi.stubGlobal('fetch', async () => new Response(body, { headers }));
  const answer = sampleAnswer({ text: 'I ponder', thinking: '', state: 'stopped', model: 'asked' });
  const running = new RunningAnswer(answer, () => Promise.resolve());
  await running.continue(() => answerRequest('asked', [sampleQuestion()], answer.settings, answer.seed));
  expect(running.answer).toMatchObject({ text: 'Four.', thinking: 'I ponder more.', state: 'complete' });
});
