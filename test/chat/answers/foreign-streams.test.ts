import { afterEach, expect, test, vi } from 'vitest';
import { answerRequest } from '../../../src/chat/api/answer-request.ts';
import { RunningAnswer } from '../../../src/chat/answers/running-answer.ts';
import type { Answer } from '../../../src/chat/types/conversation.ts';
import { sampleAnswer, sampleQuestion } from '../../gallery/samples/conversation.ts';

afterEach(() => vi.unstubAllGlobals());

/** The answer that the page makes of a stream that an upstream sent, cut into pieces of `size` characters. */
async function answerOf(stream: string, size = 1000): Promise<Answer> {
  vi.stubGlobal('fetch', async () => {
    const pieces = stream.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
    const body = new Blob(pieces).stream();
    return new Response(body, { headers: { 'x-tabserve-engine': 'upstream:office' } });
  });
  const answer = sampleAnswer({ text: '', state: 'running', model: 'asked' });
  const running = new RunningAnswer(answer, () => Promise.resolve());
  await running.write(() => answerRequest('asked', [sampleQuestion()], answer.settings, answer.seed));
  return running.answer;
}

const event = (value: unknown): string => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
const delta = (fields: object | null, more: object = {}) => ({ choices: [{ index: 0, delta: fields, ...more }] });
const HI = delta({ content: 'Hi' });
const END = delta({}, { finish_reason: 'stop' });

test.each<[name: string, events: readonly unknown[], expected: Partial<Answer>]>([
  ['without choices', [{ id: 'x' }, HI, END, '[DONE]'], { text: 'Hi' }],
  ['with choices that are null', [{ choices: null }, HI, END, { choices: null }, '[DONE]'], { text: 'Hi' }],
  ['with a choice that is null', [{ choices: [null] }, HI, END, '[DONE]'], { text: 'Hi' }],
  ['with a delta that is null', [delta(null), HI, delta(null, { finish_reason: 'stop' }), '[DONE]'], { text: 'Hi' }],
  ['without a delta', [{ choices: [{ index: 0 }] }, HI, END, '[DONE]'], { text: 'Hi' }],
  ['with pings', ['ping', '{}', 'null', '""', '7', '[]', HI, 'OK', END, '[DONE]'], { text: 'Hi' }],
  ['with only half an event', ['{"choices":[', HI, END, '[DONE]'], { text: 'Hi' }],
  [
    'with usage in each chunk',
    [{ ...HI, usage: { prompt_tokens: 3, completion_tokens: 1 } }, END, '[DONE]'],
    {
      text: 'Hi',
      promptTokens: 3,
      completionTokens: 1,
    },
  ],
  ['with usage that is incomplete', [HI, { usage: {} }, { usage: null }, END, '[DONE]'], { text: 'Hi' }],
  ['with an error that is null', [{ ...HI, error: null }, END, '[DONE]'], { text: 'Hi' }],
  ['with content that is null', [delta({ content: null }), HI, END, '[DONE]'], { text: 'Hi' }],
  [
    'with content in parts',
    [delta({ content: [{ type: 'text', text: 'Hi' }, null, { type: 'x' }] }), END, '[DONE]'],
    {
      text: 'Hi',
    },
  ],
  ['with the model named', [{ ...HI, model: 'other' }, END, '[DONE]'], { text: 'Hi', model: 'other' }],
  ['without the model', [HI, END, '[DONE]'], { model: 'asked' }],
  ['without [DONE]', [HI, END], { text: 'Hi' }],
  ['with another reason', [HI, delta({}, { finish_reason: 'MAX_TOKENS' }), '[DONE]'], { finishReason: 'length' }],
  ['with an unknown reason', [HI, delta({}, { finish_reason: 'eos' }), '[DONE]'], { finishReason: 'stop' }],
  [
    'that was ended because of a loop',
    [HI, delta({}, { finish_reason: 'length', stop_reason: 'repetition' }), '[DONE]'],
    { finishReason: 'length', isStuck: true },
  ],
  ['with tool calls that are null', [delta({ content: 'Hi', tool_calls: null }), END, '[DONE]'], { text: 'Hi' }],
  [
    'with thinking as reasoning_content',
    [delta({ reasoning_content: 'Hm' }), HI, END, '[DONE]'],
    {
      thinking: 'Hm',
      text: 'Hi',
    },
  ],
  ['with thinking as reasoning', [delta({ reasoning: 'Hm', content: '' }), HI, END, '[DONE]'], { thinking: 'Hm' }],
  [
    'with thinking in two fields',
    [delta({ reasoning: 'Hm', reasoning_content: 'Hm' }), HI, END, '[DONE]'],
    {
      thinking: 'Hm',
    },
  ],
  [
    'with thinking in details',
    [delta({ reasoning_details: [{ type: 'reasoning.text', text: 'Hm' }] }), HI, END, '[DONE]'],
    { thinking: 'Hm' },
  ],
  [
    'with reasoning that is null',
    [delta({ reasoning: null, content: 'Hi' }), END, '[DONE]'],
    {
      thinking: '',
      text: 'Hi',
    },
  ],
  [
    'with thinking in parts',
    [delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }] }), HI, END, '[DONE]'],
    { thinking: 'Hm', text: 'Hi' },
  ],
  [
    'with thinking in tags',
    [delta({ content: '<think>\nHm\n</think>\n\nHi' }), END, '[DONE]'],
    {
      thinking: 'Hm\n',
      text: 'Hi',
    },
  ],
  [
    'with tags in pieces',
    [
      ...['\n', '<th', 'ink', '>H', 'm </', 'b> <', '/think', '>', '\n\nH', 'i'].map((content) => delta({ content })),
      END,
      '[DONE]',
    ],
    { thinking: 'Hm </b> ', text: 'Hi' },
  ],
  [
    'with a tag that is never closed',
    [delta({ content: '<think>Hm </th' }), END, '[DONE]'],
    {
      thinking: 'Hm </th',
      text: '',
    },
  ],
  [
    'with a tag in its text',
    [delta({ content: 'Use <think> so.' }), END, '[DONE]'],
    {
      thinking: '',
      text: 'Use <think> so.',
    },
  ],
  ['with only the beginning of a tag', [delta({ content: '<th' }), END, '[DONE]'], { text: '<th' }],
])('a stream %s is read', async (_name, events, expected) => {
  for (const size of [1, 1000])
    expect(await answerOf(events.map(event).join(''), size)).toMatchObject({
      state: 'complete',
      finishReason: 'stop',
      ...expected,
    });
});

test('a stream without a blank line after its last event is read', async () => {
  const stream = event(HI) + event(END);
  expect(await answerOf(`${stream}data: [DONE]`)).toMatchObject({ state: 'complete', text: 'Hi' });
  expect(await answerOf(stream.trimEnd())).toMatchObject({ state: 'complete', text: 'Hi' });
});

test.each<[name: string, error: unknown, message: string, code: string]>([
  ['an object', { error: { message: 'Overloaded', code: 'busy' } }, 'Overloaded', 'upstream_failed'],
  [
    'an object with a number as its code',
    { error: { message: 'Overloaded', code: 529 } },
    'Overloaded',
    'upstream_failed',
  ],
  ['a sentence', { error: 'Overloaded' }, 'Overloaded', 'upstream_failed'],
  ['an object of vLLM', { object: 'error', message: 'Too long', code: 400 }, 'Too long', 'upstream_failed'],
  ['one of this API', { error: { message: 'Wait', code: 'rate_limit_exceeded' } }, 'Wait', 'rate_limit_exceeded'],
])('an error in a stream that is %s keeps its message, and the text before it', async (_name, error, message, code) => {
  expect(await answerOf(event(HI) + event(error))).toMatchObject({
    state: 'failed',
    text: 'Hi',
    error: { code, message },
  });
});

test('a stream that breaks off before its end fails, with the text received so far', async () => {
  expect(await answerOf(event(HI))).toMatchObject({
    state: 'failed',
    text: 'Hi',
    error: { code: 'engine_unavailable' },
  });
});
