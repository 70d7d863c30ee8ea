import { expect, test, vi } from 'vitest';
import type { ChatMessage, CompletionRequest } from '../../../src/shared/completion-request.ts';
import { ask, loadedEngine, requestOf, type TestEngine, type TestEngineOptions } from './support/test-engine.ts';

const user = (content: string): ChatMessage => ({ role: 'user', content });
const assistant = (content: string): ChatMessage => ({ role: 'assistant', content, toolCalls: [] });

/** A model each of whose tokens depends on everything that it has read and written: one wrong token changes the answer. */
const attentive: NonNullable<TestEngineOptions['sampler']> = (_tokenizer, endOfTurn) => {
  return ({ context, position, allows }) => {
    const seen = context.reduce((hash, token) => (Math.imul(hash, 31) + token + 1) >>> 0, 7);
    const letter = 97 + (seen % 26);
    return position > 3 + (seen % 5) || !allows(letter) ? endOfTurn : letter;
  };
};

/** Tokens that were read as prompts, in the order of the forward passes. */
function readingEngine(options: TestEngineOptions = {}) {
  const read: number[] = [];
  const onForward = async (kind: string, tokens: number) => void (kind === 'prefill' && read.push(tokens));
  return loadedEngine({ sampler: attentive, onForward, ...options }).then((test) => ({ ...test, read }));
}

const textOf = async ({ engine }: TestEngine, request: Partial<CompletionRequest>) => {
  const { choices, usage } = await ask(engine, request);
  return { text: choices[0]!.content, usage };
};

test('the next turn of a conversation reads only what is new, and tells so', async () => {
  const test = await readingEngine();
  const first = await textOf(test, { messages: [user('What is this?')] });
  expect(first.usage.cachedTokens).toBe(0);
  test.read.length = 0;
  const messages = [user('What is this?'), assistant(first.text), user('And that?')];
  const { usage } = await textOf(test, { messages });
  // The end of the answer, the question between two markers, and the header of the next answer.
  expect(test.read).toEqual([1 + 1 + 'And that?'.length + 1 + 1]);
  expect(usage.cachedTokens).toBe(usage.promptTokens - test.read[0]!);
  expect(test.runs.at(-1)!.prompt).toBe(
    `«<|user|>»What is this?«<|end|>»«<|assistant|>»${first.text}«<|end|>»«<|user|>»And that?«<|end|>»«<|assistant|>»`,
  );
});

test('the same prompt once more reads its last two tokens, for further choices too', async () => {
  const test = await readingEngine();
  await textOf(test, { messages: [user('Once')] });
  const { usage } = await ask(test.engine, { messages: [user('Once')], choices: 3 });
  expect(usage.cachedTokens).toBe(usage.promptTokens - 2);
  expect(test.read).toEqual([usage.promptTokens, 2, 2, 2]);
});

const ways: [sentence: string, options: TestEngineOptions][] = [
  ['whose library cannot take tokens back', { popn: false }],
  ['whose library computes something else for a prompt read in parts', { reuses: false }],
];

test.each(ways)('a model %s reads every prompt whole', async (_sentence, options) => {
  const test = await readingEngine(options);
  const { usage } = await textOf(test, { messages: [user('Once')] });
  expect((await textOf(test, { messages: [user('Once')] })).usage).toEqual(usage);
  expect(usage.cachedTokens).toBe(0);
  expect(test.read).toEqual([usage.promptTokens, usage.promptTokens]);
});

test.each([
  ['passed', true, 4],
  ['failed', false, 0],
])('a check of a library that was once %s is remembered', async (_word, passed, cachedTokens) => {
  const kept = new Map<string, boolean>();
  const checks = {
    get: async (key: string) => kept.get(key),
    put: async (key: string, value: boolean) => void kept.set(key, value),
  };
  await loadedEngine({ sampler: attentive, reuses: passed, checks });
  expect([...kept.values()]).toEqual([passed]);
  // Were the second one checked, it would be found to be otherwise.
  const put = vi.spyOn(checks, 'put');
  const { engine } = await loadedEngine({ sampler: attentive, reuses: !passed, checks });
  await ask(engine, 'abc');
  expect((await ask(engine, 'abc')).usage.cachedTokens).toBe(cachedTokens);
  expect(put).not.toHaveBeenCalled();
});

test('after a forward pass that failed, the next prompt is read whole', async () => {
  let failing = false;
  const read: number[] = [];
  const test = await loadedEngine({
    sampler: attentive,
    async onForward(kind, tokens) {
      if (failing) throw new Error('The device did not like it.');
      if (kind === 'prefill') read.push(tokens);
    },
  });
  const { usage } = await ask(test.engine, 'Once');
  failing = true;
  await expect(ask(test.engine, 'Once')).rejects.toMatchObject({ code: 'internal_error' });
  failing = false;
  expect((await ask(test.engine, 'Once')).usage).toEqual(usage);
  expect(read).toEqual([usage.promptTokens, usage.promptTokens]);
});

test('what an abort left of a long prompt is not read again', async () => {
  const controller = new AbortController();
  let chunks = 0;
  const test = await readingEngine({
    async onForward(kind) {
      if (kind === 'prefill' && ++chunks === 3) controller.abort(new Error('enough'));
    },
  });
  const messages = [user('long '.repeat(100))];
  const reading = async () => {
    for await (const event of test.engine.generate(requestOf({ messages }), controller.signal))
      expect(event).toBeDefined();
  };
  await expect(reading()).rejects.toThrow('enough');
  const { text, usage } = await textOf(test, { messages });
  expect(usage.cachedTokens).toBe(3 * 64);
  const fresh = await readingEngine({ popn: false });
  expect((await textOf(fresh, { messages })).text).toBe(text);
});

/** Conversations that grow, branch, are edited and asked again, in several tabs by turns. */
function* randomConversations(seed: number, count: number): Generator<readonly ChatMessage[]> {
  let state = seed;
  const random = (below: number) => (state = (state * 48271) % 2147483647) % below;
  const word = () => 'abcdefgh'.slice(0, 1 + random(8)).repeat(1 + random(12));
  const tabs: ChatMessage[][] = [[], [], []];
  for (let index = 0; index < count; index++) {
    const tab = tabs[random(tabs.length)]!;
    if (random(4) === 0) tab.length = random(tab.length + 1);
    if (tab.length === 0 && random(2) === 0)
      tab.push({ role: 'system', content: ['Be kind.', 'Be brief.'][random(2)]! });
    tab.push(user(word()));
    yield [...tab];
    // Now and then another answer than the model's, as of one that was edited or had its reasoning taken out.
    tab.push(assistant(random(3) === 0 ? word() : ''));
  }
}

test.each([1, 2, 3, 4])('random conversations get the answers of an engine without a cache (%i)', async (seed) => {
  const cached = await readingEngine();
  const fresh = await readingEngine({ popn: false });
  let reused = 0;
  let answer = '';
  for (const conversation of randomConversations(seed, 60)) {
    const messages = conversation.map((message) =>
      message.role === 'assistant' && message.content === '' ? assistant(answer) : message,
    );
    const options = [{}, { stop: ['e'] }, { maxTokens: 2 }, { choices: 2 }][conversation.length % 4];
    const [one, other] = [
      await ask(cached.engine, { messages, ...options }),
      await ask(fresh.engine, { messages, ...options }),
    ];
    expect(one.choices).toEqual(other.choices);
    expect({ ...one.usage, cachedTokens: 0 }).toEqual(other.usage);
    reused += one.usage.cachedTokens;
    answer = one.choices[0]!.content;
  }
  expect(reused).toBeGreaterThan(0);
});
