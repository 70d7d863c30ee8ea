import { expect, test, vi } from 'vitest';
import { ApiError } from '../../../src/shared/api-error.ts';
import { EARLY_HEADERS_HEADER } from '../../../src/shared/http/early-headers.ts';
import { LAST_EVENT_HEADER, STREAM_ID_HEADER } from '../../../src/shared/http/resumable-stream.ts';
import { answerIn } from '../support/scripted-service.ts';
import { completionOf, createMessagesApp, expectPublishedForm, GOOD_BODY, readEvents } from './messages-app.ts';

const app = createMessagesApp();
const usage = { input_tokens: 9, cache_read_input_tokens: 3, output_tokens: 5 };
const end = (stop_reason: string, stop_sequence: string | null = null) => ({ stop_reason, stop_sequence });

const call = (index: number, id: string, name: string) => ({ index, id, name, arguments: '' });

/** Deltas of the engine, how it ended, the blocks of the message, and the names of the events between its start and end. */
const ANSWERS: readonly (readonly [
  name: string,
  completion: Parameters<typeof completionOf>,
  content: readonly object[],
  stop: object,
  deltas: readonly string[],
])[] = [
  [
    'text',
    [[{ content: 'Hel' }, { content: 'lo.' }]],
    [{ type: 'text', text: 'Hello.' }],
    end('end_turn'),
    ['text', 'text_delta', 'text_delta'],
  ],
  ['nothing', [[]], [], end('end_turn'), []],
  [
    'thinking before text',
    [[{ reasoning: 'Hm' }, { reasoning: '.' }, { content: 'Yes.' }]],
    [
      { type: 'thinking', thinking: 'Hm.', signature: 'local' },
      { type: 'text', text: 'Yes.' },
    ],
    end('end_turn'),
    ['thinking', 'thinking_delta', 'thinking_delta', 'signature_delta', 'text', 'text_delta'],
  ],
  [
    'two calls after text',
    [
      [
        { content: 'I look.' },
        { toolCalls: [call(0, 'call_a', 'look')] },
        { toolCalls: [{ index: 0, arguments: '{"at":' }] },
        { toolCalls: [{ index: 0, arguments: '"sky"}' }] },
        { toolCalls: [{ index: 1, id: 'call_b', name: 'look', arguments: '{}' }] },
      ],
      { reason: 'tool_calls' },
    ],
    [
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', id: 'call_a', name: 'look', input: { at: 'sky' } },
      { type: 'tool_use', id: 'call_b', name: 'look', input: {} },
    ],
    end('tool_use'),
    ['text', 'text_delta', 'tool_use', 'input_json_delta', 'input_json_delta', 'tool_use', 'input_json_delta'],
  ],
  [
    'a call that is cut off',
    [[{ toolCalls: [{ index: 0, id: 'call_a', name: 'look', arguments: '{"at":' }] }], { reason: 'length' }],
    [{ type: 'tool_use', id: 'call_a', input: {} }],
    end('model_context_window_exceeded'),
    ['tool_use', 'input_json_delta'],
  ],
  [
    'text that repeats itself',
    [[{ content: 'on and on and' }], { reason: 'length', isStuck: true }],
    [{ type: 'text', text: 'on and on and' }],
    end('max_tokens'),
    ['text', 'text_delta'],
  ],
  [
    'text up to a stop sequence',
    [[{ content: 'One' }], { stopSequence: 'two' }],
    [{ type: 'text', text: 'One' }],
    end('stop_sequence', 'two'),
    ['text', 'text_delta'],
  ],
];

test.each(ANSWERS)(
  '%s comes as a message and as the events of its stream',
  async (_, completion, content, stop, deltas) => {
    const { message, events } = await app.both(completionOf(...completion));
    expect(message).toMatchObject({ type: 'message', role: 'assistant', model: 'pocket', content, usage, ...stop });
    expectPublishedForm('Message', message);
    expectPublishedForm('Event', ...events);
    expect(events.at(0)).toMatchObject({ type: 'message_start', message: { content: [], stop_reason: null } });
    expect(events.slice(-2)).toMatchObject([{ type: 'message_delta', delta: stop, usage }, { type: 'message_stop' }]);
    expect(joinBlocks(events)).toMatchObject(content);
    const inner = events.slice(1, -2) as readonly StreamEvent[];
    const kinds = inner.map(({ content_block, delta }) => content_block?.type ?? delta?.type ?? '');
    expect(kinds.filter((kind) => kind !== '')).toEqual(deltas);
  },
);

test.each([
  ['text', [{ content: 'Hello' }]],
  ['nothing', []],
] as const)('a stream of %s begins with the tokens of its prompt, cached ones apart', async (_, deltas) => {
  const prompt = { promptTokens: 12, cachedTokens: 3 };
  const { message, events } = await app.both([{ type: 'prefill', prompt }, ...completionOf(deltas)]);
  const input = { input_tokens: 9, cache_read_input_tokens: 3, cache_creation_input_tokens: 0 };
  expect(events.at(0)).toMatchObject({ message: { usage: { ...input, output_tokens: 0 } } });
  expect(message).toMatchObject({ usage: input });
});

test('an answer that reaches max_tokens says so', async () => {
  const { message } = await app.both(completionOf([{ content: 'Hello' }], { reason: 'length' }), { max_tokens: 5 });
  expect(message).toMatchObject(end('max_tokens'));
});

test('a stream without output gets pings, and a failure in it is an error event', async () => {
  const slow = createMessagesApp({ settings: { headersDelay: 0, keepAliveInterval: 5 } });
  slow.service.play([{ type: 'queued', position: 2 }, { type: 'prefill' }]);
  const response = await slow.message({ ...GOOD_BODY, stream: true });
  const text = response.text();
  await new Promise((resolve) => setTimeout(resolve, 30));
  const error = new ApiError('engine_timeout', 'It took too long.').toData();
  slow.service.completions.at(-1)!.emit({ type: 'delta', choice: 0, content: 'Hm' }, { type: 'error', error });
  const events = readEvents(await text);
  expectPublishedForm('Event', ...events);
  expect(events.at(0)).toEqual({ type: 'ping' });
  expect(events.at(-1)).toMatchObject({
    type: 'error',
    error: { type: 'timeout_error', message: 'It took too long.' },
    request_id: response.headers.get('request-id'),
  });
});

test.each([
  ['before the first token', {}, 400],
  ['after headers that the client wanted early', { [EARLY_HEADERS_HEADER]: '1' }, 200],
])('a failure of JSON %s is an error object', async (_, headers, status) => {
  const slow = createMessagesApp({ settings: { headersDelay: 5 } });
  slow.service.play([{ type: 'prefill' }]);
  const responded = slow.message(GOOD_BODY, { headers });
  await (status === 200 ? responded : vi.waitUntil(() => slow.service.completions.length === 1));
  const error = new ApiError('context_length_exceeded', 'It is too long.').toData();
  slow.service.completions.at(-1)!.emit({ type: 'error', error });
  const response = await responded;
  expect(response.status).toBe(status);
  const body: unknown = await response.json();
  expectPublishedForm('ErrorResponse', body);
  expect(body).toMatchObject({ error: { type: 'invalid_request_error', message: 'It is too long.' } });
});

test('a resumed stream continues after the last event, with the same id', async () => {
  app.service.play(answerIn('Hel', 'lo.'));
  const read = async (headers: Record<string, string> = {}) => {
    const init = { headers: { [STREAM_ID_HEADER]: 'a'.repeat(22), ...headers } };
    return (await app.message({ ...GOOD_BODY, stream: true }, init)).text();
  };
  const whole = await read();
  expect(await read()).toBe(whole);
  const rest = await read({ [LAST_EVENT_HEADER]: '1' });
  expect(whole.endsWith(rest)).toBe(true);
  expect(rest).toContain('lo.');
  expect(rest).not.toContain('Hel');
});

interface StreamEvent {
  readonly type: string;
  readonly index?: number;
  readonly content_block?: { type: string };
  readonly delta?: { readonly type: string } & Readonly<Record<string, string>>;
}

/** Puts the blocks together, as a client does. */
function joinBlocks(events: readonly object[]): readonly object[] {
  const blocks: Record<string, unknown>[] = [];
  const inputs: string[] = [];
  for (const { type, index = 0, content_block, delta } of events as readonly StreamEvent[]) {
    if (type === 'content_block_start') blocks[index] = { ...content_block };
    if (type !== 'content_block_delta' || delta === undefined) continue;
    if (delta.type === 'input_json_delta') inputs[index] = (inputs[index] ?? '') + delta['partial_json'];
    for (const field of ['text', 'thinking', 'signature']) {
      if (field in delta) blocks[index]![field] = `${String(blocks[index]![field])}${delta[field]}`;
    }
  }
  inputs.forEach((text, index) => {
    try {
      blocks[index]!['input'] = JSON.parse(text);
    } catch {
      // Cut off.
    }
  });
  return blocks;
}
