import { EventEmitter, once } from 'node:events';
import { beforeEach, expect, test, vi } from 'vitest';
import type { ChatMessage, CompletionRequest } from '../../../../src/shared/engine/completion-request.ts';
import type { CheckRecords } from '../../../../src/engine-worker/webllm/pipeline/extension.ts';
import type { CacheAbility } from '../../../../src/shared/storage/site-database.ts';
import { RandomConversations } from '../../../prompt-cache/random-conversations.ts';
import {
  ask,
  loadedEngine,
  requestOf,
  testEngine,
  type Answer,
  type TestEngine,
  type TestEngineOptions,
} from '../support/test-engine.ts';

const user = (content: string): ChatMessage => ({ role: 'user', content });
const assistant = (content: string): ChatMessage => ({ role: 'assistant', content, toolCalls: [] });

/** A model whose tokens depend on all previous ones, so that one wrong token in the KV cache changes the answer. */
const attentive: NonNullable<TestEngineOptions['sampler']> = (_tokenizer, endOfTurn) => {
  return ({ context, position, allows }) => {
    const seen = context.reduce((hash, token) => (Math.imul(hash, 31) + token + 1) >>> 0, 7);
    const letter = 97 + (seen % 26);
    if (allows(letter) && allows(endOfTurn)) return position > 3 + (seen % 5) ? endOfTurn : letter;
    const allowed = [endOfTurn, 10, ...Array.from({ length: 95 }, (_, index) => index + 32)].filter(allows);
    return allowed[seen % allowed.length] ?? endOfTurn;
  };
};

/** The time that `performance.now` returns, in milliseconds. It stands still unless a test moves it. */
let clock = 0;
beforeEach(() => {
  clock = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => clock);
});

/** Long enough for a snapshot that is taken while idle. */
const SOON = { timeout: 5000 };

/** An engine that records the number of tokens of each prefill pass. */
function readingEngine(options: TestEngineOptions = {}) {
  const read: number[] = [];
  const onForward = async (kind: string, tokens: number) => void (kind === 'prefill' && read.push(tokens));
  return loadedEngine({ sampler: attentive, onForward, ...options }).then((test) => ({ ...test, read }));
}

const textOf = async ({ engine }: TestEngine, request: Partial<CompletionRequest>) => {
  const { choices, usage } = await ask(engine, request);
  return { text: choices[0]!.content, usage };
};

test('the next turn of a conversation prefills only the new tokens, and reports the cached ones', async () => {
  const test = await readingEngine();
  const first = await textOf(test, { messages: [user('What is this?')] });
  expect(first.usage.cachedTokens).toBe(0);
  test.read.length = 0;
  const messages = [user('What is this?'), assistant(first.text), user('And that?')];
  const { usage } = await textOf(test, { messages });
  // The prefilled tokens: end of the answer, the question between two markers, and the header of the next answer.
  expect(test.read).toEqual([1 + 1 + 'And that?'.length + 1 + 1]);
  expect(usage.cachedTokens).toBe(usage.promptTokens - test.read[0]!);
  expect(test.runs.at(-1)!.prompt).toBe(
    `«<|user|>»What is this?«<|end|>»«<|assistant|>»${first.text}«<|end|>»«<|user|>»And that?«<|end|>»«<|assistant|>»`,
  );
});

test('a repeated prompt prefills its last two tokens, and so do further choices', async () => {
  const test = await readingEngine();
  await textOf(test, { messages: [user('Once')] });
  const { usage } = await ask(test.engine, { messages: [user('Once')], choices: 3 });
  expect(usage.cachedTokens).toBe(usage.promptTokens - 2);
  expect(test.read).toEqual([usage.promptTokens, 2, 2, 2]);
});

test('a prompt that another scope has asked is prefilled whole, then reused in its own scope', async () => {
  const test = await readingEngine();
  const messages = [user('The same long question of two sites, which have nothing to do with each other.')];
  const first = await textOf(test, { messages, cacheScope: 'one' });
  const other = await textOf(test, { messages, cacheScope: 'other' });
  const again = await textOf(test, { messages, cacheScope: 'other' });
  const none = await textOf(test, { messages });
  expect([first, other, again, none].map(({ usage }) => usage.cachedTokens)).toEqual([
    0,
    0,
    first.usage.promptTokens - 2,
    0,
  ]);
  expect(new Set([first, other, again, none].map(({ text }) => text)).size).toBe(1);
  // The conversation of the first scope was saved, and is found again by that scope only.
  expect((await textOf(test, { messages, cacheScope: 'one' })).usage.cachedTokens).toBeGreaterThan(0);
});

test.each([
  ['with text', 261],
  ['without text', 65],
])('prefix tokens %s are cached too', async (_words, token) => {
  const test = await readingEngine({ template: { system_prefix_token_ids: [token] } });
  await textOf(test, { messages: [user('Once')] });
  const { usage } = await textOf(test, { messages: [user('Once')] });
  expect(usage.cachedTokens).toBe(usage.promptTokens - 2);
  expect(test.read).toEqual([usage.promptTokens, 2]);
});

const ways: [sentence: string, options: TestEngineOptions][] = [
  ['whose library cannot remove tokens from the cache', { popn: false }],
  ['whose library computes a prompt differently in parts', { reuses: false }],
];

test.each(ways)('a model %s prefills every prompt whole', async (_sentence, options) => {
  const test = await readingEngine(options);
  const { usage } = await textOf(test, { messages: [user('Once')] });
  expect((await textOf(test, { messages: [user('Once')] })).usage).toEqual(usage);
  expect(usage.cachedTokens).toBe(0);
  expect(test.read).toEqual([usage.promptTokens, usage.promptTokens]);
});

const records = () => {
  const kept = new Map<string, CacheAbility>();
  const get = async (key: string) => kept.get(key);
  return { kept, get, put: vi.fn<CheckRecords['put']>(async (key, ability) => void kept.set(key, ability)) };
};

const checked: [ability: CacheAbility, library: TestEngineOptions, others: TestEngineOptions, cachedTokens: number][] =
  [
    ['checkpoints', {}, { reuses: false }, 4],
    ['prefix', { checkpoints: false }, { reuses: false }, 4],
    ['none', { reuses: false }, {}, 0],
  ];

test.each(checked)(
  'the abilities of a library (%s) are checked once',
  async (ability, library, otherwise, cachedTokens) => {
    const checks = records();
    await loadedEngine({ sampler: attentive, checks, ...library });
    expect([...checks.kept.values()]).toEqual([ability]);
    // If the ability were checked again, the result would differ.
    const { engine } = await loadedEngine({ sampler: attentive, checks, ...otherwise });
    await ask(engine, 'abc');
    expect((await ask(engine, 'abc')).usage.cachedTokens).toBe(cachedTokens);
    expect(checks.put).toHaveBeenCalledOnce();
  },
);

function trap(): void {
  throw new WebAssembly.RuntimeError('unreachable');
}

test('a library that trapped during the check is not checked again', async () => {
  const checks = records();
  await expect(loadedEngine({ sampler: attentive, checks, onCheck: trap })).rejects.toBeDefined();
  const { engine } = await loadedEngine({ sampler: attentive, checks, onCheck: trap });
  expect((await ask(engine, 'abc')).usage.cachedTokens).toBe(0);
});

test('each step of the check is reported, and a step that takes too long disables the cache for good', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const checks = records();
  let steps = 0;
  const onCheck = () => {
    steps++;
    vi.advanceTimersByTime(100_000);
  };
  const load = async () => {
    const texts: string[] = [];
    const { engine, entry } = await testEngine({ replies: [['x']], checks, onCheck });
    await engine.load(entry, ({ text }) => texts.push(text), new AbortController().signal);
    const off = engine.extensions?.find(({ name }) => name === 'prompt-cache')?.off;
    return { off, told: texts.filter((text) => text.startsWith('Checking')) };
  };
  const first = await load();
  expect(first.off).toContain('takes too long');
  expect(first.told).toEqual([1, 2, 3].map((step) => expect.stringContaining(`step ${step} of 6`)));
  expect(steps).toBe(3);
  expect(await load()).toEqual({ off: first.off, told: [] });
  expect(steps).toBe(3);
  vi.useRealTimers();
});

const LONG = 'x'.repeat(100);

test('alternating conversations each continue from their cached prefix', async () => {
  const test = await readingEngine();
  const conversations = ['one', 'two', 'three'].map((name) => [user(`${name} ${LONG}`)]);
  const read: number[] = [];
  for (let round = 0; round < 3; round++) {
    for (const messages of conversations) {
      const { text, usage } = await textOf(test, { messages });
      messages.push(assistant(text), user(LONG));
      read.push(usage.promptTokens - usage.cachedTokens);
    }
  }
  // The tokens since the conversation's last prompt: end of the answer, the question between markers, the next header.
  expect(read.slice(3)).toEqual(read.slice(3).fill(1 + 1 + LONG.length + 1 + 1));
});

test('the least recently used conversation is evicted', async () => {
  // Memory for three conversations.
  const test = await readingEngine({ promptMemory: 1500 });
  const turn = async (name: string) => (await textOf(test, { messages: [user(`${name} ${LONG}`)] })).usage;
  for (const name of ['one', 'two', 'three', 'four']) await turn(name);
  // "four" is in the KV cache; its snapshot is taken when "two" is requested.
  const cached = [await turn('two'), await turn('three'), await turn('one')];
  expect(cached.map(({ cachedTokens }) => cachedTokens > LONG.length)).toEqual([true, true, false]);
});

test('without snapshots, one conversation is cached', async () => {
  const test = await readingEngine({ checkpoints: false });
  const turn = async (name: string) => (await textOf(test, { messages: [user(`${name} ${LONG}`)] })).usage.cachedTokens;
  const cached = [await turn('one'), await turn('one'), await turn('two'), await turn('one')];
  expect(cached.map((tokens) => tokens > LONG.length)).toEqual([false, true, false, false]);
});

test('a regenerated answer takes no snapshot', async () => {
  const onSave = vi.fn<() => void>();
  const test = await readingEngine({ onSave });
  onSave.mockClear();
  for (let time = 0; time < 3; time++) await textOf(test, { messages: [user(LONG)] });
  expect(onSave).not.toHaveBeenCalled();
  await textOf(test, { messages: [user('Another one')] });
  expect(onSave).toHaveBeenCalledOnce();
});

test('a snapshot of a small conversation is taken while idle', async () => {
  const onSave = vi.fn<() => void>();
  const test = await readingEngine({ onSave });
  onSave.mockClear();
  const messages = [user(`one ${LONG}`)];
  for (const saves of [1, 2]) {
    messages.push(assistant((await textOf(test, { messages })).text));
    await expect.poll(() => onSave.mock.calls.length, SOON).toBe(saves);
    messages.push(user(LONG));
  }
  await textOf(test, { messages: [user(`two ${LONG}`)] });
  expect(onSave).toHaveBeenCalledTimes(2);
});

test('a snapshot of a large conversation is taken when another one begins, and from then on while idle', async () => {
  const onSave = vi.fn<() => void>();
  const test = await readingEngine({ onSave, saidBytes: 2 ** 17, promptMemory: 2 ** 30 });
  onSave.mockClear();
  const turn = (name: string) => textOf(test, { messages: [user(`${name} ${LONG}`)] });
  await turn('one');
  // A small conversation would be saved in this time.
  await new Promise((resolve) => setTimeout(resolve, 1300));
  expect(onSave).not.toHaveBeenCalled();
  await turn('two');
  expect(onSave).toHaveBeenCalledTimes(1);
  await expect.poll(() => onSave.mock.calls.length, SOON).toBe(2);
  await turn('one');
  expect(onSave).toHaveBeenCalledTimes(2);
});

/** An engine whose prefill takes a time for each token, and a snapshot one for each character of {@link LONG}. */
function timedEngine(times: { prefill: number; save: number }) {
  const onSave = vi.fn<() => void>(() => void (clock += times.save * LONG.length));
  const onForward = async (kind: string, tokens: number) => {
    if (kind === 'prefill') clock += times.prefill * tokens;
  };
  return readingEngine({ onSave, onForward, saidBytes: 2 ** 17, promptMemory: 2 ** 30 }).then((test) => {
    onSave.mockClear();
    return { ...test, onSave };
  });
}

test.each([
  ['is cheaper to prefill again than to save is saved once, to measure that', { prefill: 1, save: 1 }, 1],
  ['costs more than twice as much to prefill again is saved each time', { prefill: 5, save: 1 }, 4],
  ['is saved faster than anyone notices is saved each time', { prefill: 0.001, save: 0.01 }, 4],
])('a conversation that %s while another one waits', async (_sentence, times, saves) => {
  const test = await timedEngine(times);
  for (const name of ['one', 'two', 'three', 'four', 'five'])
    await textOf(test, { messages: [user(`${name} ${LONG}`)] });
  expect(test.onSave).toHaveBeenCalledTimes(saves);
});

test('a conversation that is not saved while another one waits is saved while idle', async () => {
  const test = await timedEngine({ prefill: 1, save: 1 });
  const turn = async (name: string) => (await textOf(test, { messages: [user(`${name} ${LONG}`)] })).usage.cachedTokens;
  for (const name of ['one', 'two', 'three']) await turn(name);
  expect(test.onSave).toHaveBeenCalledTimes(1);
  await expect.poll(() => test.onSave.mock.calls.length, SOON).toBe(2);
  await turn('four');
  expect(await turn('three')).toBeGreaterThan(LONG.length);
  expect(test.onSave).toHaveBeenCalledTimes(2);
});

test('a conversation that exceeds the snapshot memory is not saved', async () => {
  const onSave = vi.fn<() => void>();
  const test = await readingEngine({ onSave, saidBytes: 2 ** 17, promptMemory: 2 ** 20 });
  onSave.mockClear();
  for (const name of ['one', 'two']) await textOf(test, { messages: [user(`${name} ${LONG}`)] });
  expect(onSave).not.toHaveBeenCalled();
});

test('a request that arrives during an idle snapshot begins when that is done', async () => {
  const saved = new EventEmitter();
  const onSave = vi.fn<() => unknown>();
  const onScope = vi.fn<() => void>();
  const test = await readingEngine({ onSave, onScope });
  const turn = async (name: string) => (await textOf(test, { messages: [user(`${name} ${LONG}`)] })).usage.cachedTokens;
  await turn('one');
  await turn('two');
  onSave.mockClear();
  onSave.mockImplementationOnce(() => once(saved, 'saved'));
  await expect.poll(() => onSave.mock.calls.length, SOON).toBe(1);
  onScope.mockClear();
  const again = turn('one');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(onScope).not.toHaveBeenCalled();
  saved.emit('saved');
  expect(await again).toBeGreaterThan(LONG.length);
});

test('a snapshot that is taken before a prompt is read from the GPU after the first token', async () => {
  const order: string[] = [];
  const test = await readingEngine({
    onSave: () => order.push('copied'),
    copying: async () => void order.push('read'),
    onForward: async (kind) => void (order.at(-1) !== kind && order.push(kind)),
  });
  order.length = 0;
  for (const name of ['one', 'two']) await textOf(test, { messages: [user(`${name} ${LONG}`)] });
  expect(order.slice(0, 6)).toEqual(['prefill', 'decode', 'copied', 'prefill', 'read', 'decode']);
});

test('a snapshot is read even if the prompt after it fails', async () => {
  let fails = false;
  const test = await readingEngine({
    onForward: async () => {
      if (fails) throw new Error('the GPU failed');
    },
  });
  const turn = (name: string) => textOf(test, { messages: [user(`${name} ${LONG}`)] });
  await turn('one');
  fails = true;
  await expect(turn('two')).rejects.toThrow('Something went wrong');
  fails = false;
  expect((await turn('one')).usage.cachedTokens).toBeGreaterThan(LONG.length);
});

test('another conversation is answered while the last snapshot is still being copied', async () => {
  const copied = new EventEmitter();
  const copying = vi.fn<() => Promise<unknown>>(async () => {});
  const test = await readingEngine({ copying });
  copying.mockReturnValue(once(copied, 'copied'));
  const turn = async (name: string) => (await textOf(test, { messages: [user(`${name} ${LONG}`)] })).usage.cachedTokens;
  await turn('one');
  await turn('two');
  const again = turn('one');
  copied.emit('copied');
  expect(await again).toBeGreaterThan(LONG.length);
});

test('after a failed forward pass, the next prompt is prefilled whole', async () => {
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

test('tokens of a long prompt that were prefilled before an abort are not computed again', async () => {
  const controller = new AbortController();
  let chunks = 0;
  let computed = 0;
  const test = await readingEngine({
    async onForward(kind, tokens) {
      if (kind !== 'prefill' || controller.signal.aborted) return;
      computed += tokens;
      if (++chunks === 3) controller.abort(new Error('enough'));
    },
  });
  const messages = [user('long '.repeat(100))];
  await expect(ask(test.engine, { messages }, controller.signal)).rejects.toThrow('enough');
  const { text, usage } = await textOf(test, { messages });
  expect(computed).toBeGreaterThan(100);
  expect(usage.cachedTokens).toBe(computed);
  const fresh = await readingEngine({ popn: false });
  expect((await textOf(fresh, { messages })).text).toBe(text);
});

function contents({ choices }: Answer) {
  return choices.map(({ content, reason, toolCalls }) => [content, reason, toolCalls.map((call) => call.arguments)]);
}

test.each([1, 2, 3, 4])('random conversations get the answers of an engine without a cache (%i)', async (seed) => {
  const cached = await readingEngine({ promptMemory: 2000 });
  const fresh = await readingEngine({ popn: false });
  const conversations = new RandomConversations(seed, 3);
  let reused = 0;
  while (conversations.begun < 15) {
    const { request, abortAfter } = conversations.next();
    if (abortAfter !== null) {
      let heard = 0;
      for await (const { type } of cached.engine.generate(requestOf(request), new AbortController().signal))
        if (type === 'delta' && ++heard > abortAfter) break;
      continue;
    }
    const [one, other] = [await ask(cached.engine, request), await ask(fresh.engine, request)];
    expect(contents(one)).toEqual(contents(other));
    expect({ ...one.usage, cachedTokens: 0 }).toEqual(other.usage);
    reused += one.usage.cachedTokens;
    conversations.answered(one.choices[0]!.content);
  }
  expect(reused).toBeGreaterThan(0);
});
