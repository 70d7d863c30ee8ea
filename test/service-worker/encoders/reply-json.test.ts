import { expect, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { DEFAULT_SETTINGS } from '../../../src/service-worker/app-settings.ts';
import type { CompletionEvent, TokenLogprob } from '../../../src/shared/engine/completion-event.ts';
import { expectForm } from '../support/reply-schemas.ts';
import { answerIn, USAGE } from '../support/scripted-service.ts';
import { createTestApp, GOOD_BODY } from '../support/test-app.ts';

const finish = (choice: number, reason: 'stop' | 'length' | 'tool_calls'): CompletionEvent => ({
  type: 'finish',
  choice,
  reason,
});
const done: CompletionEvent = { type: 'done', usage: USAGE };

interface Completion {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  readonly system_fingerprint: string;
  readonly choices: readonly Record<string, unknown>[];
  readonly usage: Record<string, unknown>;
}

async function complete(events: readonly CompletionEvent[], fields: object = {}): Promise<Completion> {
  const app = createTestApp();
  app.service.play(events);
  const response = await app.chat({ ...GOOD_BODY, ...fields });
  expect(response.status).toBe(200);
  const completion = (await response.json()) as Completion;
  expectForm('completion', completion);
  return completion;
}

test('a plain answer has every field of the API', async () => {
  const app = createTestApp();
  const before = Math.floor(Date.now() / 1000);
  const response = await app.chat({ ...GOOD_BODY, model: 'gpt-4o-mini' });
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('openai-processing-ms')).toMatch(/^\d+$/);
  expect(response.headers.has('content-length')).toBe(false);
  const completion = (await response.json()) as Completion;
  expectForm('completion', completion);
  expect(completion).toMatchObject({
    model: 'pocket',
    choices: [{ index: 0, message: { content: 'Hello.' }, logprobs: null, finish_reason: 'stop' }],
    usage: { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17, prompt_tokens_details: { cached_tokens: 3 } },
  });
  expect(completion.created).toBeGreaterThanOrEqual(before);
  expect(completion.created).toBeLessThanOrEqual(Date.now() / 1000);
});

test('an answer without output has empty content', async () => {
  const { choices } = await complete([finish(0, 'stop'), done]);
  expect(choices).toMatchObject([{ message: { content: '' }, finish_reason: 'stop' }]);
});

test('a choice that was ended because it repeats itself says so', async () => {
  const { choices } = await complete([{ type: 'finish', choice: 0, reason: 'length', isStuck: true }, done]);
  expect(choices).toMatchObject([{ finish_reason: 'length', stop_reason: 'repetition' }]);
});

test('several choices come in order, whatever order they were generated in', async () => {
  const { choices } = await complete(
    [
      { type: 'delta', choice: 2, content: 'c' },
      { type: 'delta', choice: 0, content: 'a' },
      { type: 'delta', choice: 2, content: 'C' },
      finish(2, 'length'),
      finish(0, 'stop'),
      finish(1, 'stop'),
      done,
    ],
    { n: 3 },
  );
  expect(choices.map(({ index }) => index)).toEqual([0, 1, 2]);
  expect(choices).toMatchObject([
    { message: { content: 'a' }, finish_reason: 'stop' },
    { message: { content: '' }, finish_reason: 'stop' },
    { message: { content: 'cC' }, finish_reason: 'length' },
  ]);
});

const ID = 'call_0123456789abcdefghijklmn';

test('tool calls are assembled, and content is null beside them', async () => {
  const { choices } = await complete([
    { type: 'delta', choice: 0, toolCalls: [{ index: 0, id: ID, name: 'f', arguments: '' }] },
    { type: 'delta', choice: 0, toolCalls: [{ index: 0, arguments: '{"a"' }] },
    {
      type: 'delta',
      choice: 0,
      toolCalls: [
        { index: 1, id: `${ID}2`, name: 'g', arguments: '{}' },
        { index: 0, arguments: ':1}' },
      ],
    },
    finish(0, 'tool_calls'),
    done,
  ]);
  expect(choices).toMatchObject([
    {
      finish_reason: 'tool_calls',
      message: {
        content: null,
        tool_calls: [
          { id: ID, type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
          { id: `${ID}2`, type: 'function', function: { name: 'g', arguments: '{}' } },
        ],
      },
    },
  ]);
});

test('text before a tool call stays', async () => {
  const { choices } = await complete([
    { type: 'delta', choice: 0, content: 'Let me see.' },
    { type: 'delta', choice: 0, toolCalls: [{ index: 0, id: ID, name: 'f', arguments: '{}' }] },
    finish(0, 'tool_calls'),
    done,
  ]);
  expect(choices).toMatchObject([{ message: { content: 'Let me see.' } }]);
});

test('reasoning is separate from the content', async () => {
  const { choices } = await complete([
    { type: 'delta', choice: 0, reasoning: 'Hm, ' },
    { type: 'delta', choice: 0, reasoning: 'yes.' },
    { type: 'delta', choice: 0, content: 'Yes.' },
    finish(0, 'stop'),
    done,
  ]);
  expect(choices).toMatchObject([{ message: { content: 'Yes.', reasoning_content: 'Hm, yes.' } }]);
});

function token(text: string, logprob: number): TokenLogprob {
  const plain = { token: text, logprob, bytes: [...new TextEncoder().encode(text)] };
  return { ...plain, topLogprobs: [plain] };
}

test('logprobs are sent if requested', async () => {
  const events: CompletionEvent[] = [
    { type: 'delta', choice: 0, content: 'Hé', logprobs: [token('H', -0.5), token('é', -9999)] },
    { type: 'delta', choice: 0, content: '!', logprobs: [token('!', 0)] },
    finish(0, 'stop'),
    done,
  ];
  const { choices } = await complete(events, { logprobs: true, top_logprobs: 1 });
  expect(choices[0]?.logprobs).toEqual({
    content: [
      { token: 'H', logprob: -0.5, bytes: [72], top_logprobs: [{ token: 'H', logprob: -0.5, bytes: [72] }] },
      {
        token: 'é',
        logprob: -9999,
        bytes: [195, 169],
        top_logprobs: [{ token: 'é', logprob: -9999, bytes: [195, 169] }],
      },
      { token: '!', logprob: 0, bytes: [33], top_logprobs: [{ token: '!', logprob: 0, bytes: [33] }] },
    ],
    refusal: null,
  });
  const plain = await complete(events);
  expect(plain.choices[0]?.logprobs).toBeNull();
});

test('each completion has its own id, and system_fingerprint is the same for the same model', async () => {
  const [one, two] = [await complete(answerIn('a')), await complete(answerIn('b'))];
  expect(one.id).not.toBe(two.id);
  expect(one.system_fingerprint).toBe(two.system_fingerprint);
  const other = await complete(answerIn('a'), { model: 'org/seer' });
  expect(other.system_fingerprint).not.toBe(one.system_fingerprint);
});

test('another version of the engine changes system_fingerprint, and the default is the installed version', async () => {
  const { system_fingerprint } = await complete(answerIn('a'));
  const response = await createTestApp({ settings: { engineVersion: 'another' } }).chat(GOOD_BODY);
  expect(((await response.json()) as Completion).system_fingerprint).not.toBe(system_fingerprint);
  expect(DEFAULT_SETTINGS.engineVersion).toBe(`@mlc-ai/web-llm ${packageJson.devDependencies['@mlc-ai/web-llm']}`);
});
