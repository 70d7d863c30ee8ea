import { beforeEach, expect, test, vi } from 'vitest';
import { createLanguageModel } from '../../src/prompt-api/create-language-model.ts';
import type { CreateOptions } from '../../src/prompt-api/language-model-options.ts';
import { promptApiConnection } from '../support/fakes/prompt-api-connection.ts';

beforeEach(() => void vi.stubGlobal('location', { origin: 'https://site.example' }));

const CONTEXT_WINDOW = 100;
const ANSWER = 'Yes.';

interface Body {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly tools?: readonly object[];
  readonly [field: string]: unknown;
}

const refusal = (code: string, message: string, param: string) =>
  Response.json({ error: { code, message, param } }, { status: 400 });

const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;

/**
 * An endpoint with a model as llama.cpp runs it: it refuses to show tokens. For this model each word is a token, and the
 * chat template adds one for each message.
 */
function createEndpoint() {
  const asked: Body[] = [];
  let countings = 0;
  const respond = (address: string, body: Body): Response => {
    if (address.includes('/models/')) {
      const capabilities = { chat: true, images: false, tools: true };
      return Response.json({ context_window: CONTEXT_WINDOW, tabserve: { capabilities } });
    }
    if (address.endsWith('/tokenize')) {
      countings++;
      return refusal('unsupported_value', '`model`: its tokens are not shown.', 'model');
    }
    const tokens = body.messages.reduce((sum, { content }) => sum + 1 + content.split(' ').length, 0);
    if (tokens > CONTEXT_WINDOW) return refusal('context_length_exceeded', `Too long: ${tokens} tokens.`, 'messages');
    asked.push(body);
    const calls = body.tools !== undefined && body.messages.at(-1)?.role !== 'tool';
    const delta = calls
      ? { tool_calls: [{ index: 0, id: 'a', function: { name: 'now', arguments: '{}' } }] }
      : { content: ANSWER };
    const usage = { prompt_tokens: tokens, completion_tokens: 1 };
    return new Response(`${event({ choices: [{ delta }] })}${event({ choices: [], usage })}data: [DONE]\n\n`);
  };
  const connection = promptApiConnection(async (address, { body = '{}' }) =>
    respond(address, JSON.parse(body) as Body),
  );
  return {
    asked,
    countings: () => countings,
    create: (options: CreateOptions = {}) => createLanguageModel(connection, { model: 'model' }).create(options),
  };
}

const words = (count: number) => 'word '.repeat(count).trim();

test('a model whose tokens are not shown answers, whole and streamed', async () => {
  const { create, asked } = createEndpoint();
  const session = await create({ initialPrompts: [{ role: 'system', content: 'Be brief.' }] });
  expect(await session.prompt('Hello')).toBe(ANSWER);
  expect(await session.promptStreaming('Again').getReader().read()).toMatchObject({ value: ANSWER });
  expect(asked.at(-1)!.messages.map(({ content }) => content)).toEqual(['Be brief.', 'Hello', ANSWER, 'Again']);
});

test('the context usage is what the endpoint reports', async () => {
  const session = await createEndpoint().create();
  await session.prompt(words(20));
  expect(session.contextUsage).toBe(22);
});

test('an appended message adds an estimate to the context usage, and is part of the next prompt', async () => {
  const { create, asked } = createEndpoint();
  const session = await create();
  await session.prompt('Hello');
  const before = session.contextUsage;
  await session.append('My dog is called Bello.');
  expect(session.contextUsage - before).toBe(await session.measureContextUsage('My dog is called Bello.'));
  await session.prompt('Hello');
  expect(asked.at(-1)!.messages).toContainEqual({ role: 'user', content: 'My dog is called Bello.' });
});

test('a copy has the usage of its original and goes on alone', async () => {
  const session = await createEndpoint().create();
  await session.prompt('Hello');
  const copy = await session.clone();
  expect(copy.contextUsage).toBe(session.contextUsage);
  await copy.prompt('Hello');
  expect(copy.contextUsage).toBeGreaterThan(session.contextUsage);
});

test('a constraint reaches the endpoint', async () => {
  const { create, asked } = createEndpoint();
  await (await create()).prompt('Hello', { responseConstraint: /yes|no/ });
  expect(asked).toMatchObject([{ guided_regex: 'yes|no' }]);
});

test('a tool that the model calls runs, and the usage is that of the last round', async () => {
  const { create } = createEndpoint();
  const tool = { name: 'now', description: 'Tells the time.', inputSchema: { type: 'object' }, execute: () => 'noon' };
  const session = await create({ tools: [tool] });
  expect(await session.prompt('Hello')).toBe(ANSWER);
  expect(session.contextUsage).toBe(7);
});

test('after an abort, a tool that never ends does not keep the session from the next prompt', async () => {
  const { create } = createEndpoint();
  const asked = new AbortController();
  const execute = () => {
    asked.abort();
    return new Promise<string>(() => {});
  };
  const tool = { name: 'now', description: 'Tells the time.', inputSchema: { type: 'object' }, execute };
  const session = await create({ tools: [tool] });
  await expect(session.prompt('Hello', { signal: asked.signal })).rejects.toMatchObject({ name: 'AbortError' });
  await session.append('Hello');
  expect(session.contextUsage).toBeGreaterThan(0);
});

test('when the window is full, the oldest prompts are dropped, never the initial ones', async () => {
  const { create, asked } = createEndpoint();
  const session = await create({ initialPrompts: [{ role: 'system', content: 'Be brief.' }] });
  const events: string[] = [];
  session.addEventListener('contextoverflow', () => events.push('contextoverflow'));
  await session.prompt(`first ${words(39)}`);
  await session.prompt(`second ${words(39)}`);
  expect(events).toEqual([]);
  await session.prompt(`third ${words(39)}`);
  expect(asked.at(-1)!.messages.map(({ content }) => content.split(' ')[0])).toEqual(['Be', 'second', ANSWER, 'third']);
  expect(events).toEqual(['contextoverflow']);
  expect(session.contextUsage).toBeLessThanOrEqual(CONTEXT_WINDOW);
});

test.each([
  ['is sent to the endpoint', 101],
  ['surely does not fit', 2000],
])('a prompt that is too long and %s is more than the quota, and drops nothing', async (_name, length) => {
  const { create, asked } = createEndpoint();
  const session = await create();
  await session.prompt('Hello');
  const error = (await session.prompt(words(length)).catch((thrown: unknown) => thrown)) as { requested: number };
  expect(error).toMatchObject({ name: 'QuotaExceededError', quota: CONTEXT_WINDOW });
  expect(error.requested).toBeGreaterThanOrEqual(CONTEXT_WINDOW);
  await session.prompt('Again');
  expect(asked.at(-1)!.messages).toHaveLength(3);
});

test.each(['append', 'create'] as const)('what surely does not fit is refused by %s()', async (method) => {
  const { create } = createEndpoint();
  const content = words(2000);
  const refused =
    method === 'append' ? (await create()).append(content) : create({ initialPrompts: [{ role: 'user', content }] });
  await expect(refused).rejects.toMatchObject({ name: 'QuotaExceededError', quota: CONTEXT_WINDOW });
});

test('the endpoint is asked only once to count tokens', async () => {
  const { create, countings } = createEndpoint();
  const session = await create();
  await session.prompt('Hello');
  await session.append('Hello');
  await session.prompt('Hello');
  await session.measureContextUsage('Hello');
  expect(countings()).toBe(1);
});

const QUESTION = { role: 'user', content: 'Is it?' } as const;
const BEGUN = { role: 'assistant', content: 'I say: ', prefix: true } as const;

test.each([
  ['answers the question before it', [QUESTION, BEGUN], [QUESTION]],
  ['without a question answers an empty one', [BEGUN], [{ role: 'user', content: '' }]],
])('a prefix %s, and the next prompt has it with its continuation as one answer', async (_name, prompt, before) => {
  const { create, asked } = createEndpoint();
  const session = await create();
  expect(await session.prompt(prompt, { responseConstraint: /I say: .*/ })).toBe(ANSWER);
  expect(asked.at(-1)).toMatchObject({ messages: [...before, BEGUN], guided_regex: 'I say: .*' });
  await session.prompt('Again');
  const whole = { role: 'assistant', content: `I say: ${ANSWER}` };
  expect(asked.at(-1)!.messages).toEqual([...before, whole, { role: 'user', content: 'Again' }]);
});

test('a prefix alone answers an appended question', async () => {
  const { create, asked } = createEndpoint();
  const session = await create();
  await session.append('Is it?');
  await session.prompt([BEGUN]);
  expect(asked.at(-1)!.messages).toEqual([QUESTION, BEGUN]);
});

test('the answer to the result of a tool does not begin with the prefix once more', async () => {
  const { create, asked } = createEndpoint();
  const tool = { name: 'now', description: 'Tells the time.', inputSchema: { type: 'object' }, execute: () => 'noon' };
  const session = await create({ tools: [tool] });
  expect(await session.prompt([QUESTION, BEGUN])).toBe(ANSWER);
  expect(asked.map(({ messages }) => messages.at(-1))).toMatchObject([BEGUN, { role: 'tool', content: 'noon' }]);
  expect(asked[1]!.messages[1]).toMatchObject({ role: 'assistant', content: 'I say: ' });
});

test('where the endpoint refuses to begin an answer, as with the browser’s own model, the prompt is refused with its sentence', async () => {
  const connection = promptApiConnection(async (address) =>
    address.includes('/models/')
      ? Response.json({
          context_window: CONTEXT_WINDOW,
          tabserve: { capabilities: { chat: true, images: false, tools: false } },
        })
      : refusal('unsupported_value', 'It begins each answer itself.', 'messages'),
  );
  const session = await createLanguageModel(connection, { model: 'model' }).create();
  await expect(session.prompt([QUESTION, BEGUN])).rejects.toMatchObject({
    name: 'NotSupportedError',
    message: 'It begins each answer itself.',
  });
});
