import { afterEach, expect, test, vi } from 'vitest';
import { RunningAnswer } from '../../../src/chat/answers/running-answer.ts';
import { answerRequest } from '../../../src/chat/api/answer-request.ts';
import type { Answer } from '../../../src/chat/types/conversation.ts';
import { encodeUpstreamBody } from '../../../src/service-worker/upstreams/upstream-body.ts';
import { isRefusal, readUpstreamError } from '../../../src/service-worker/upstreams/upstream-error.ts';
import { readUpstreams } from '../../../src/shared/upstreams/upstream.ts';
import { sampleAnswer, sampleQuestion } from '../../gallery/samples/conversation.ts';

afterEach(() => vi.unstubAllGlobals());

const [upstream] = readUpstreams([{ name: 'desk', baseUrl: 'http://desk.test/v1', models: ['big'], when: 'upstream' }]);

/** What the service worker makes of the response of an upstream that was asked for a stream. */
async function passedOn(response: Response): Promise<Response> {
  const headers = { 'x-tabserve-engine': 'upstream:desk' };
  if (isRefusal(response)) {
    const error = await readUpstreamError(response, upstream!);
    return Response.json({ error }, { status: response.status, headers });
  }
  const options = { isStream: true, choices: 1, path: '/chat/completions', upstream: upstream!, interval: 1000 };
  const texts = encodeUpstreamBody(Promise.resolve(response), options);
  return new Response(
    new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { done, value } = await texts.next();
        if (done) controller.close();
        else controller.enqueue(new TextEncoder().encode(value));
      },
    }),
    { headers },
  );
}

/** The answer that the page shows of what an upstream sends, in pieces of `size` bytes. */
async function answerTo(body: string, { size = 100_000, status = 200 } = {}): Promise<Answer> {
  const bytes = new TextEncoder().encode(body);
  vi.stubGlobal('fetch', () =>
    passedOn(
      new Response(
        new ReadableStream({
          start(controller) {
            for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.subarray(at, at + size));
            controller.close();
          },
        }),
        { status },
      ),
    ),
  );
  const answer = sampleAnswer({ text: '', state: 'running', model: 'asked' });
  const running = new RunningAnswer(answer, () => Promise.resolve());
  await running.write(() => answerRequest('asked', [sampleQuestion()], answer.settings, answer.seed));
  return running.answer;
}

const event = (value: unknown): string => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
const stream = (...events: readonly unknown[]): string => events.map(event).join('');
const chunk = (choice: object, more: object = {}) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, ...choice }],
  ...more,
});
const say = (content: unknown, reason: string | null = null) => chunk({ delta: { content }, finish_reason: reason });
const END = chunk({ delta: {}, finish_reason: 'stop' });

test.each<[name: string, body: string, expected: Partial<Answer>]>([
  [
    'Azure: filters of the prompt and of the answer, in chunks without a delta',
    stream(
      { choices: [], prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }] },
      chunk({ delta: { role: 'assistant', content: '', refusal: null }, content_filter_results: {} }),
      say('Good day'),
      chunk({
        finish_reason: null,
        content_filter_results: { hate: { severity: 'safe' } },
        content_filter_offsets: {},
      }),
      END,
      '[DONE]',
    ),
    { text: 'Good day' },
  ],
  [
    'Azure: an answer that its filter ended',
    stream(say('Good'), chunk({ delta: {}, finish_reason: 'content_filter', content_filter_results: {} }), '[DONE]'),
    { text: 'Good', isFiltered: true },
  ],
  [
    "Gemini's façade: a filter with its reason",
    stream(say('Good', 'content_filter: PROHIBITED_CONTENT'), '[DONE]'),
    { text: 'Good', isFiltered: true },
  ],
  [
    "Gemini's façade: thinking in a tag, the last chunk says something",
    stream(say('<thought>Hm.'), say('</thought>Good'), say(' day', 'stop'), '[DONE]'),
    { thinking: 'Hm.', text: 'Good day' },
  ],
  [
    'Mistral: thinking, text and a reference in parts',
    stream(
      say([{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] }]),
      say([
        { type: 'text', text: 'Good' },
        { type: 'reference', reference_ids: [1] },
      ]),
      say(' day'),
      END,
      '[DONE]',
    ),
    { thinking: 'Hm.', text: 'Good day' },
  ],
  [
    'Groq: usage in its own field',
    stream(
      chunk({ delta: { role: 'assistant', content: '' } }, { x_groq: { id: 'req' } }),
      say('Good day'),
      chunk(
        { delta: {}, finish_reason: 'stop' },
        { x_groq: { id: 'req', usage: { prompt_tokens: 3, completion_tokens: 2 } } },
      ),
      '[DONE]',
    ),
    { text: 'Good day', promptTokens: 3, completionTokens: 2 },
  ],
  [
    'Moonshot: usage in the choice',
    stream(
      say('Good day'),
      chunk({ delta: {}, finish_reason: 'stop', usage: { prompt_tokens: 3, completion_tokens: 2 } }),
      '[DONE]',
    ),
    { text: 'Good day', promptTokens: 3, completionTokens: 2 },
  ],
  [
    'DeepSeek: comments while it waits',
    `: keep-alive\n\n: keep-alive\n\n${stream(chunk({ delta: { content: null, reasoning_content: 'Hm.' } }), say('Good day'), END, '[DONE]')}`,
    { thinking: 'Hm.', text: 'Good day' },
  ],
  [
    'OpenRouter: comments, thinking told twice, encrypted thinking',
    `: OPENROUTER PROCESSING\n\n${stream(
      chunk({
        delta: { content: '', reasoning: 'Hm.', reasoning_details: [{ type: 'reasoning.text', text: 'Hm.' }] },
      }),
      chunk({ delta: { content: '', reasoning_details: [{ type: 'reasoning.encrypted', data: 'aGlkZGVu' }] } }),
      say('Good day'),
      chunk({ delta: { content: '' }, finish_reason: 'stop', native_finish_reason: 'completed' }),
      { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, cost: 0.1 } },
      '[DONE]',
    )}`,
    { thinking: 'Hm.', text: 'Good day', promptTokens: 3 },
  ],
  [
    'OpenRouter: citations beside the text',
    stream(
      chunk({
        delta: {
          content: 'Good day',
          annotations: [{ type: 'url_citation', url_citation: { url: 'https://a.test', title: 'A' } }],
        },
      }),
      END,
      '[DONE]',
    ),
    { text: 'Good day' },
  ],
  [
    'LiteLLM: thinking told in blocks, too',
    stream(
      chunk({
        delta: {
          content: '',
          reasoning_content: 'Hm.',
          thinking_blocks: [{ type: 'thinking', thinking: 'Hm.', signature: 'x' }],
        },
      }),
      say('Good day'),
      END,
      '[DONE]',
    ),
    { thinking: 'Hm.', text: 'Good day' },
  ],
  [
    'Databricks: thinking as a summary within the content',
    stream(
      say([{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] }]),
      say([{ type: 'text', text: 'Good day' }]),
      END,
      '[DONE]',
    ),
    { thinking: 'Hm.', text: 'Good day' },
  ],
  [
    'Perplexity: the message so far beside each delta',
    stream(
      chunk({ message: { role: 'assistant', content: 'Good' }, delta: { role: 'assistant', content: 'Good' } }),
      chunk({ message: { role: 'assistant', content: 'Good day' }, delta: { role: 'assistant', content: ' day' } }),
      chunk(
        {
          message: { role: 'assistant', content: 'Good day' },
          delta: { role: 'assistant', content: '' },
          finish_reason: 'stop',
        },
        { citations: ['https://a.test'], search_results: [{ title: 'A', url: 'https://a.test' }] },
      ),
    ),
    { text: 'Good day' },
  ],
  [
    'messages that each contain all text so far, without deltas',
    stream(
      chunk({ message: { role: 'assistant', content: 'Good' }, finish_reason: null }),
      chunk({ message: { role: 'assistant', content: 'Good day' }, finish_reason: null }),
      chunk({ message: { role: 'assistant', content: 'Good day.' }, finish_reason: 'stop' }),
    ),
    { text: 'Good day.' },
  ],
  [
    'MiniMax: the whole answer again at the end',
    stream(
      say('Good'),
      say(' day'),
      {
        id: 'c',
        object: 'chat.completion',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Good day' }, finish_reason: 'stop' }],
        base_resp: { status_code: 0, status_msg: '' },
      },
      '[DONE]',
    ),
    { text: 'Good day' },
  ],
  [
    'Cloudflare: responses without an end but the mark',
    stream({ response: 'Good', p: 'abc' }, { response: ' day', p: 'abc' }, { response: '', usage: {} }, '[DONE]'),
    { text: 'Good day', finishReason: null },
  ],
  [
    'Cohere: nested deltas with types',
    stream(
      { type: 'message-start', id: 'm', delta: { message: { role: 'assistant', content: [] } } },
      { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } },
      { type: 'content-delta', index: 0, delta: { message: { content: { text: 'Good' } } } },
      { type: 'content-delta', index: 0, delta: { message: { content: { text: ' day' } } } },
      { type: 'content-end', index: 0 },
      { type: 'message-end', delta: { finish_reason: 'MAX_TOKENS' } },
      '[DONE]',
    ),
    { text: 'Good day', finishReason: 'length' },
  ],
  [
    'Text Generation Inference: no blank after the colon, ends by a token',
    `data:${JSON.stringify(say('Good day'))}\n\ndata:${JSON.stringify(chunk({ delta: { content: '' }, finish_reason: 'eos_token' }))}\n\ndata:[DONE]\n\n`,
    { text: 'Good day' },
  ],
  [
    'a proxy that writes the field of the event twice',
    `data: data: ${JSON.stringify(say('Good day'))}\n\ndata: data: ${JSON.stringify(END)}\n\ndata: data: [DONE]\n\n`,
    { text: 'Good day' },
  ],
  [
    'pings between the chunks',
    `event: ping\ndata: {"type": "ping"}\n\n${event(say('Good'))}event: ping\ndata: {}\n\ndata: {"type":"ping"}\n\n:\n\n${stream(say(' day'), END)}`,
    { text: 'Good day' },
  ],
  [
    'a byte order mark and line ends of Windows',
    `\ufeff${stream(say('Good day'), END, '[DONE]').replaceAll('\n', '\r\n')}`,
    { text: 'Good day' },
  ],
  [
    'a reason of the end that is a word for none until the end',
    stream(say('Good', 'null'), say(' day', 'None'), chunk({ delta: {}, finish_reason: 'length' })),
    { text: 'Good day', finishReason: 'length' },
  ],
  [
    'Cohere: an end for what its filter found',
    stream(say('Good'), say('', 'ERROR_TOXIC'), '[DONE]'),
    { text: 'Good', isFiltered: true },
  ],
  [
    'no choices, null choices, and null for a delta',
    stream(
      { id: 'c', choices: [] },
      { id: 'c', choices: null },
      chunk({ delta: null }),
      say('Good day'),
      chunk({ delta: null, finish_reason: 'stop' }),
    ),
    { text: 'Good day' },
  ],
  [
    'one JSON answer with a refusal among the parts',
    JSON.stringify({
      object: 'chat.completion',
      choices: [{ message: { content: [{ type: 'refusal', refusal: 'No.' }] }, finish_reason: 'stop' }],
    }),
    { text: 'No.' },
  ],
  [
    'a refusal in a part with an object',
    stream(say([{ type: 'refusal', refusal: { text: 'No.' } }]), END, '[DONE]'),
    { text: 'No.' },
  ],
  [
    'a refusal of Anthropic',
    `event: content_block_delta\n${event({ type: 'content_block_delta', delta: { type: 'text_delta', text: 'No.' } })}event: message_delta\n${event({ type: 'message_delta', delta: { stop_reason: 'refusal' } })}event: message_stop\n${event({ type: 'message_stop' })}`,
    { text: 'No.', isFiltered: true },
  ],
  [
    'a limit of Anthropic',
    `event: content_block_delta\n${event({ type: 'content_block_delta', delta: { type: 'text_delta', text: 'Good' } })}event: message_delta\n${event({ type: 'message_delta', delta: { stop_reason: 'max_tokens' } })}event: message_stop\n${event({ type: 'message_stop' })}`,
    { text: 'Good', finishReason: 'length' },
  ],
  [
    'a Responses API that sends the whole answer at its end only',
    stream({
      type: 'response.completed',
      response: {
        status: 'completed',
        output: [
          { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] },
          { type: 'message', content: [{ type: 'output_text', text: 'Good day' }] },
        ],
        usage: { input_tokens: 3, output_tokens: 2 },
      },
    }),
    { thinking: 'Hm.', text: 'Good day', promptTokens: 3 },
  ],
  // Thinking of which only the end is marked, as the models of several families mark it.
  ...[
    '</think>',
    '</THINK>',
    '<|END_THINKING|>',
    '<|end_of_thought|>',
    '</longcat_think>',
    '<channel|>',
    '<|end|><|start|>assistant<|channel|>final<|message|>',
    '<|inner_suffix|>',
  ].map((tag): [string, string, Partial<Answer>] => [
    `the lone end of thinking ${tag}`,
    stream(say(`Two and two.\n${tag.slice(0, 4)}`), say(`${tag.slice(4)}\n\nFour.`), END, '[DONE]'),
    { thinking: 'Two and two.\n', text: 'Four.' },
  ]),
  ...(
    [
      ['<Think>', '</Think>'],
      ['<|START_THINKING|>', '<|END_THINKING|>'],
      ['<|begin_of_thought|>', '<|end_of_thought|>'],
      ['<longcat_think>', '</longcat_think>'],
      ['<|channel>thought', '<channel|>'],
      ['<|channel|>analysis<|message|>', '<|end|><|start|>assistant<|channel|>final<|message|>'],
      ['<|inner_prefix|>', '<|inner_suffix|>'],
    ] as const
  ).map(([open, close]): [string, string, Partial<Answer>] => [
    `thinking between ${open} and ${close}`,
    stream(
      say(open.slice(0, 5)),
      say(`${open.slice(5)}\nTwo.${close.slice(0, 3)}`),
      say(`${close.slice(3)}\nFour.`),
      END,
    ),
    { thinking: 'Two.', text: 'Four.' },
  ]),
])('%s is read', async (_name, body, expected) => {
  for (const size of [1, 13, 100_000])
    expect(await answerTo(body, { size })).toMatchObject({
      state: 'complete',
      error: null,
      finishReason: 'stop',
      thinking: '',
      ...expected,
    });
});

const WORDS = 'The model is overloaded.';

test.each<[name: string, error: string, code: string]>([
  [
    'OpenRouter: an error beside an empty choice',
    event({
      ...chunk({ delta: { content: '' }, finish_reason: 'error' }),
      error: { code: 'server_error', message: WORDS },
    }),
    'upstream_failed',
  ],
  [
    'LiteLLM: the words None and a code as text',
    event({ error: { message: WORDS, type: 'None', param: 'None', code: '429' } }),
    'rate_limit_exceeded',
  ],
  [
    'vLLM: an object',
    event({ object: 'error', message: WORDS, type: 'BadRequestError', code: 400 }),
    'upstream_failed',
  ],
  [
    "Gemini's façade: a list",
    event([{ error: { code: 503, message: WORDS, status: 'UNAVAILABLE' } }]),
    'upstream_failed',
  ],
  [
    'llama-server, older: a field of its own',
    `error: {"code":500,"message":"${WORDS}","type":"server_error"}\n\n`,
    'upstream_failed',
  ],
  [
    'Groq: an event with a name',
    `event: error\n${event({ error: { message: WORDS, type: 'rate_limit_exceeded' } })}`,
    'rate_limit_exceeded',
  ],
  [
    'Anthropic: an overload',
    `event: error\n${event({ type: 'error', error: { type: 'overloaded_error', message: WORDS } })}`,
    'upstream_failed',
  ],
  ['Text Generation Inference: a sentence', event({ error: WORDS, error_type: 'overloaded' }), 'upstream_failed'],
  ['a mark beside the message', event({ error: true, message: WORDS }), 'upstream_failed'],
  ['a failure without a code', event({ success: false, message: WORDS }), 'upstream_failed'],
  ['a status in words', event({ status: 'error', message: WORDS }), 'upstream_failed'],
  [
    'DashScope: a code in words',
    event({ code: 'InternalError.Algo', message: WORDS, request_id: 'r' }),
    'upstream_failed',
  ],
  [
    'Mistral: a message that is an object',
    event({ object: 'error', message: { detail: [{ msg: WORDS }] }, type: 'invalid_request_error' }),
    'upstream_failed',
  ],
  [
    'an error of which only a part has words',
    event({ error: { message: null, code: 500, metadata: { raw: WORDS } } }),
    'upstream_failed',
  ],
])('an error within a stream (%s) is told with its words', async (_name, error, code) => {
  for (const size of [1, 100_000])
    expect(await answerTo(event(say('Good')) + error, { size })).toMatchObject({
      state: 'failed',
      text: 'Good',
      error: { code, message: WORDS },
    });
});

test.each([
  'error',
  'ERROR',
  'engine_overloaded',
  'timeout',
  'MALFORMED_FUNCTION_CALL',
  'function_call_filter: MALFORMED_FUNCTION_CALL',
  'UNEXPECTED_TOOL_CALL',
])('an end for the reason %s is told with the reason', async (reason) => {
  for (const body of [
    stream(say('Good'), say('', reason), '[DONE]'),
    stream({ candidates: [{ content: { parts: [{ text: 'Good' }] } }] }, { candidates: [{ finishReason: reason }] }),
  ])
    expect(await answerTo(body)).toMatchObject({
      state: 'failed',
      text: 'Good',
      error: { code: 'upstream_failed', message: expect.stringContaining(reason) as string },
    });
});

test.each(['before the end', 'within a chunk'])(
  'a stream whose chunks say that they end for no reason, cut off %s',
  async (place) => {
    const body = event(say('Good', 'null')) + (place === 'within a chunk' ? 'data: {"cho' : '');
    expect(await answerTo(body)).toMatchObject({ state: 'failed', text: 'Good', error: { code: 'upstream_failed' } });
  },
);

test.each<[name: string, status: number, body: string, code: string]>([
  [
    'a list',
    429,
    JSON.stringify([{ error: { code: 429, message: WORDS, status: 'RESOURCE_EXHAUSTED' } }]),
    'rate_limit_exceeded',
  ],
  [
    'a list of errors',
    500,
    JSON.stringify({ success: false, errors: [{ code: 5006, message: WORDS }], result: {} }),
    'upstream_failed',
  ],
  ['details', 422, JSON.stringify({ detail: [{ loc: ['body'], msg: WORDS, type: 'missing' }] }), 'upstream_failed'],
  [
    'a message with details',
    422,
    JSON.stringify({ object: 'error', message: { detail: [{ msg: WORDS }] } }),
    'upstream_failed',
  ],
  [
    'a problem',
    429,
    JSON.stringify({ type: 'about:blank', title: 'Too Many Requests', detail: WORDS }),
    'rate_limit_exceeded',
  ],
  // Codes that mean something else if this device says them.
  ...['model_not_found', 'invalid_api_key', 'gpu_unavailable', 'internal_error', 'vector_store_not_found'].map(
    (code): [string, number, string, string] => [
      `the code ${code}`,
      404,
      JSON.stringify({ error: { message: WORDS, type: 'invalid_request_error', code } }),
      'upstream_failed',
    ],
  ),
  [
    'a prompt that is too long',
    400,
    JSON.stringify({ error: { message: WORDS, code: 'context_length_exceeded' } }),
    'context_length_exceeded',
  ],
  ['words', 503, WORDS, 'upstream_failed'],
  [
    'a web page',
    429,
    `<!DOCTYPE html>\n<html><head><title>429</title><style>h1{color:red}</style></head><body><h1>${WORDS}</h1></body></html>`,
    'rate_limit_exceeded',
  ],
  ['JSON of an unknown form', 500, JSON.stringify({ fault: { faultstring: WORDS } }), 'upstream_failed'],
])('an error status with %s is told with its words, without markup', async (_name, status, body, code) => {
  const { error, state } = await answerTo(body, { status });
  expect([state, error?.code]).toEqual(['failed', code]);
  expect(error?.message).toContain(WORDS);
  expect(error?.message).not.toMatch(/[<{[]/);
});

test.each([
  ['within JSON', `${event(say('Good'))}data: {"choices":[{"delta":{"content":"d`],
  ['after a chunk', event(say('Good'))],
  ['within a field', `${event(say('Good'))}dat`],
])('a stream that ends %s has broken off', async (_name, body) => {
  expect(await answerTo(body)).toMatchObject({ state: 'failed', text: 'Good', error: { code: 'upstream_failed' } });
});
