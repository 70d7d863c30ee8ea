import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Completion } from '../../../src/engine-worker/completions/completion.ts';
import { Completions } from '../../../src/engine-worker/completions/completions.ts';
import type { CompletionsOptions } from '../../../src/engine-worker/completions/completions-options.ts';
import { ApiError } from '../../../src/shared/api-error.ts';
import type { CompletionEvent } from '../../../src/shared/engine/completion-event.ts';
import type { EmbeddingInputs } from '../../../src/shared/engine/completion-request.ts';
import type { LoadingProgress } from '../../../src/shared/engine/engine.ts';
import type { ModelEntry } from '../../../src/shared/models/model-entry.ts';
import { builtInModel } from '../../../src/shared/models/built-in-models.ts';
import { completionRequest } from '../../support/fakes/completion-request.ts';
import { ScriptedEngine } from '../../support/fakes/scripted-engine.ts';

const DEVICE_MODELS = ['a', 'b', 'vectors'];
const HOLD_TIME = 60_000;
const SITE = 'https://site.test/';

function model(id: string): ModelEntry {
  const kind = id === 'vectors' ? { embedding: { dimensions: 2 } } : {};
  return { ...builtInModel(SITE), id, ...kind };
}

function setUp(options: Partial<CompletionsOptions> = {}) {
  const engine = new ScriptedEngine();
  const completions = new Completions({
    engine,
    findModel: async (id) => (DEVICE_MODELS.includes(id) ? model(id) : null),
    ...options,
  });
  let count = 0;
  interface AskOptions {
    model?: string;
    embed?: EmbeddingInputs;
    holdTime?: number | null;
    fingerprint?: string;
  }
  const ask = (
    text: string,
    { model = 'a', embed, holdTime = HOLD_TIME, fingerprint = `fingerprint ${count}` }: AskOptions = {},
  ) =>
    new Asked(
      completions.start(
        { ...completionRequest(text, model), ...(embed && { embed }) },
        { requestId: `request ${count++}`, fingerprint, holdTime },
        SITE,
      ),
    );
  return { engine, completions, ask };
}

type Together = ReturnType<typeof setUp>;

/** A completion with all its events. */
class Asked {
  readonly completion: Completion;
  readonly events: CompletionEvent[] = [];

  constructor(completion: Completion) {
    this.completion = completion;
    completion.log.subscribe((event) => this.events.push(event));
  }

  get types(): string {
    return this.events.map(({ type }) => type).join(' ');
  }

  get text(): string {
    return this.events.flatMap((event) => (event.type === 'delta' ? [event.content] : [])).join(' ');
  }

  get errorCode(): string | null {
    const last = this.events.at(-1);
    return last?.type === 'error' ? last.error.code : null;
  }
}

/** Runs everything that is due, without advancing the clock. */
const settle = () => vi.advanceTimersByTimeAsync(0);

async function loaded(options: Partial<CompletionsOptions> = {}) {
  const setup = setUp(options);
  const loading = setup.completions.load(model('a'), SITE);
  await setup.engine.advance(11);
  await loading;
  setup.engine.history.length = 0;
  return setup;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

test('the first request loads its model, gets the progress, and is answered', async () => {
  const { engine, ask, completions } = setUp();
  const asked = ask('one two');
  await engine.advance(13);
  expect(asked.types).toBe(`${'loading '.repeat(11)}prefill delta delta finish done`);
  expect(asked.text).toBe('one two');
  expect(completions.status).toMatchObject({ state: 'ready', model: 'a' });
});

test('the status counts prompt tokens, and the cached ones among them, since the model was loaded', async () => {
  const { engine, ask, completions } = await loaded();
  for (const cachedTokens of [0, 1, 1]) {
    engine.cachedTokens = cachedTokens;
    ask('one');
    await engine.advance(2);
  }
  expect(completions.status).toMatchObject({ promptCache: { promptTokens: 3, cachedTokens: 2, off: null } });
  engine.extensions = [{ name: 'prompt-cache', off: 'for a reason' }];
  const loading = completions.load(model('b'), SITE);
  await engine.advance(11);
  await loading;
  expect(completions.status).toMatchObject({
    promptCache: { promptTokens: 0, cachedTokens: 0, off: 'for a reason' },
    extensions: [{ name: 'prompt-cache', off: 'for a reason' }],
  });
});

test('a page preloads its model only if none is loaded, loading or requested', async () => {
  const { engine, completions, ask } = setUp();
  ask('one', { model: 'b' });
  await completions.preload(model('a'), SITE);
  await engine.advance(12);
  await completions.preload(model('a'), SITE);
  expect(engine.history).toEqual(['load b', 'generate b: one']);
  const embedding = completions.preload(model('vectors'), SITE);
  await engine.advance(11);
  await embedding;
  await completions.preload(model('a'), SITE);
  expect(engine.history.slice(2)).toEqual(['load vectors']);
  const freed = completions.unload();
  await engine.advance(1);
  await freed;
  const loading = completions.preload(model('a'), SITE);
  await engine.advance(11);
  await loading;
  expect(engine.loadedModel).toBe('a');
});

test('requests are answered one at a time in order, and waiting ones learn their position', async () => {
  const { engine, ask } = await loaded();
  const [first, second, third] = [ask('1 1'), ask('2'), ask('3')];
  await engine.advance(5);
  expect(engine.history).toEqual(['generate a: 1 1', 'generate a: 2', 'generate a: 3']);
  expect(engine.mostRunning).toBe(1);
  expect(first.types).toBe('prefill delta delta finish done');
  expect(second.types).toBe('queued prefill delta finish done');
  expect(third.events.slice(0, 2)).toEqual([
    { type: 'queued', position: 2 },
    { type: 'queued', position: 1 },
  ]);
});

test('an engine that can answer two requests in parallel does so, in their order, and a third one waits', async () => {
  const { engine, ask } = await loaded();
  engine.parallel = 2;
  const [first, second, third] = [ask('1 1 1'), ask('2 2'), ask('3')];
  await engine.advance();
  expect(engine.history).toEqual(['generate a: 1 1 1', 'generate a: 2 2']);
  expect([first.types, second.types]).toEqual(['prefill delta', 'queued prefill delta']);
  expect(third.events).toEqual([{ type: 'queued', position: 2 }]);
  await engine.advance();
  expect(engine.history).toEqual(['generate a: 1 1 1', 'generate a: 2 2', 'generate a: 3']);
  await engine.advance();
  expect([first.text, second.text, third.text]).toEqual(['1 1 1', '2 2', '3']);
  expect(engine.mostRunning).toBe(2);
});

test.each([
  ['a request for another model', (use: Together) => use.ask('3', { model: 'b' })],
  ['a load', ({ completions }: Together) => void completions.load(model('b'), SITE)],
  ['unloading', ({ completions }: Together) => void completions.unload()],
  [
    'a tokenization',
    ({ completions }: Together) =>
      void completions.use(model('a'), SITE, (engine) =>
        engine.tokenize({ type: 'text', text: 'x', prefix: false, markers: false }),
      ),
  ],
])('%s waits until two parallel answers have ended, and later requests wait for it', async (_, wait) => {
  const setup = await loaded();
  const { engine, ask } = setup;
  engine.parallel = 2;
  const [first, second] = [ask('1 1 1'), ask('2 2 2 2')];
  await engine.advance();
  wait(setup);
  const later = ask('4');
  await engine.advance(2);
  expect([first.text, later.types]).toEqual(['1 1 1', expect.stringMatching(/^(queued ?)+$/)]);
  expect(engine.history).toEqual(['generate a: 1 1 1', 'generate a: 2 2 2 2']);
  engine.runFreely();
  await engine.advance(40);
  expect([second.text, later.text]).toEqual(['2 2 2 2', '4']);
});

test('a failure of one of two parallel answers does not affect the other; a failure of the engine fails both and reloads the model once', async () => {
  const { engine, ask, completions } = await loaded();
  engine.parallel = 2;
  const [first, second] = [ask('1 1'), ask('2 2')];
  await engine.advance();
  engine.failure = new ApiError('invalid_value', 'no');
  await engine.advance(2);
  expect([first.errorCode, second.text]).toEqual(['invalid_value', '2 2']);

  const lost = [ask('3 3'), ask('4 4')];
  await engine.advance();
  engine.failure = new ApiError('engine_unavailable', 'lost');
  engine.failsAll = true;
  engine.loadedModel = null;
  await engine.advance();
  expect(lost.map(({ errorCode }) => errorCode)).toEqual(['engine_unavailable', 'engine_unavailable']);
  expect(completions.status).toMatchObject({ state: 'loading' });
  engine.failsAll = false;
  engine.failure = null;
  await engine.advance(11);
  expect(engine.history.filter((entry) => entry.startsWith('load'))).toEqual(['load a']);
  expect(completions.status).toMatchObject({ state: 'ready', model: 'a', parallel: 2 });
});

test('a model whose context window was changed is reloaded after the running answers have ended', async () => {
  let contextWindow = 1000;
  const { engine, ask, completions } = setUp({ findModel: async (id) => ({ ...model(id), contextWindow }) });
  const loading = completions.load({ ...model('a'), contextWindow }, SITE);
  await engine.advance(11);
  await loading;
  engine.parallel = 2;
  const first = ask('1 1 1');
  await engine.advance();
  contextWindow = 2000;
  const second = ask('2');
  await engine.advance(1);
  expect(engine.history).toEqual(['load a', 'generate a: 1 1 1']);
  await engine.advance(15);
  expect([first.text, second.text]).toEqual(['1 1 1', '2']);
  expect(engine.history).toEqual(['load a', 'generate a: 1 1 1', 'load a', 'generate a: 2']);
});

test('a model for which another number of requests at once was set is reloaded for the next question', async () => {
  let parallel = 1;
  const { engine, ask } = setUp({ findModel: async (id) => ({ ...model(id), parallel }) });
  engine.runFreely();
  for (const set of [1, 2, 2]) {
    parallel = set;
    ask(`${set}`);
    await engine.advance(20);
  }
  expect(engine.history).toEqual(['load a', 'generate a: 1', 'load a', 'generate a: 2', 'generate a: 2']);
});

test('the tenth simultaneous request is refused, and the other nine are answered', async () => {
  const { engine, ask } = await loaded();
  const asked = Array.from({ length: 10 }, (_, index) => ask(`${index}`));
  expect(asked[9]!.errorCode).toBe('rate_limit_exceeded');
  engine.runFreely();
  await engine.advance(30);
  expect(asked.slice(0, 9).map(({ text }) => text)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8']);
});

test('requests whose clients are gone give up their places in a full queue, the oldest first', async () => {
  const { engine, ask, completions } = await loaded();
  const asked = Array.from({ length: 9 }, (_, index) => ask(`${index}`));
  await settle();
  for (const index of [0, 2, 3]) completions.joinable.orphan(asked[index]!.completion);
  expect([ask('9'), ask('10'), ask('11')].map(({ errorCode }) => errorCode)).toEqual([
    null,
    null,
    'rate_limit_exceeded',
  ]);
  engine.runFreely();
  await engine.advance(40);
  expect(engine.history).toEqual(['0', '1', '4', '5', '6', '7', '8', '9', '10'].map((text) => `generate a: ${text}`));
});

test('a site with a full queue takes no place of another site whose clients are gone', async () => {
  const { ask, completions } = await loaded();
  const asked = Array.from({ length: 9 }, (_, index) => ask(`${index}`));
  for (const { completion } of asked) completions.joinable.orphan(completion);
  const others = Array.from({ length: 9 }, (_, index) => {
    const options = { requestId: `other ${index}`, fingerprint: `other ${index}`, holdTime: HOLD_TIME };
    return new Asked(completions.start(completionRequest('1', 'a'), options, 'https://other.test/'));
  });
  expect(others.map(({ errorCode }) => errorCode)).toEqual([...Array(8).fill(null), 'rate_limit_exceeded']);
  expect(asked.some(({ completion }) => completion.log.ended)).toBe(false);
});

test('pages that count the tokens of many texts keep no request from being answered', async () => {
  const { engine, completions, ask } = await loaded();
  const first = ask('1');
  const counted = Array.from({ length: 20 }, () => completions.use(model('a'), SITE, () => 'counted'));
  const asked = ask('2');
  engine.runFreely();
  await engine.advance(30);
  expect([first.text, asked.text]).toEqual(['1', '2']);
  expect(await Promise.all(counted)).toEqual(counted.map(() => 'counted'));
});

test('a cancelled generation frees the engine one step later, and the next one follows', async () => {
  const { engine, ask } = await loaded();
  const first = ask('1 1 1 1 1');
  await engine.advance(2);
  const second = ask('2');
  first.completion.cancel();
  await engine.advance(2);
  expect(engine.history).toEqual(['generate a: 1 1 1 1 1', 'stopped', 'generate a: 2']);
  expect(second.text).toBe('2');
  expect(first.types).not.toMatch(/done|error/);
});

test('cancelling a queued request does not affect the running one', async () => {
  const { engine, ask } = await loaded();
  const [first, second, third] = [ask('1 1'), ask('2'), ask('3')];
  await engine.advance();
  second.completion.cancel();
  await engine.advance(4);
  expect(engine.history).toEqual(['generate a: 1 1', 'generate a: 3']);
  expect([first.text, third.text]).toEqual(['1 1', '3']);
});

test('if the request that caused a load is cancelled, the next request uses the loaded model', async () => {
  const { engine, ask } = setUp();
  const first = ask('1');
  await engine.advance(3);
  first.completion.cancel();
  const second = ask('2');
  await engine.advance(10);
  expect(engine.history).toEqual(['load a', 'generate a: 2']);
  expect(second.text).toBe('2');
});

test('another model replaces one whose requests were all cancelled', async () => {
  const { engine, ask } = setUp();
  const first = ask('1');
  await engine.advance(3);
  first.completion.cancel();
  const second = ask('2', { model: 'b' });
  await engine.advance(14);
  expect(engine.history).toEqual(['load a', 'load stopped', 'load b', 'generate b: 2']);
  expect(second.text).toBe('2');
});

test('a model whose request is cancelled while another load is being aborted is not loaded', async () => {
  const { engine, ask } = setUp();
  engine.loadsEndLate = true;
  const first = ask('1');
  await engine.advance(3);
  first.completion.cancel();
  const second = ask('2', { model: 'b' });
  await settle();
  second.completion.cancel();
  const third = ask('3');
  await engine.advance(13);
  expect(engine.history).toEqual(['load a', 'load stopped', 'load a', 'generate a: 3']);
  expect(third.text).toBe('3');
});

test('another model is loaded only after the running answer has ended', async () => {
  const { engine, ask, completions } = await loaded();
  const [first, second] = [ask('1 1 1'), ask('2', { model: 'b' })];
  await engine.advance(20);
  expect(first.text).toBe('1 1 1');
  expect(second.text).toBe('2');
  expect(engine.history).toEqual(['generate a: 1 1 1', 'load b', 'generate b: 2']);
  expect(completions.status).toMatchObject({ state: 'ready', model: 'b' });
});

test('a request that cannot wait for the end of a load gets model_loading, and the load continues', async () => {
  const { engine, ask } = setUp();
  const [first, second] = [ask('1', { holdTime: 1000 }), ask('2', { holdTime: 5000 })];
  await engine.advance(5);
  await vi.advanceTimersByTimeAsync(1000);
  expect(first.errorCode).toBe('model_loading');
  expect(second.errorCode).toBeNull();
  await engine.advance(10);
  expect(second.text).toBe('2');
  expect(engine.history).toEqual(['load a', 'generate a: 2']);
});

test('a request waits for a load that makes progress, however long it takes', async () => {
  const { engine, ask } = setUp();
  const [first, second] = [ask('1', { holdTime: null }), ask('2', { holdTime: null })];
  for (let tenth = 0; tenth < 10; tenth++) {
    await engine.advance();
    await vi.advanceTimersByTimeAsync(119_000);
  }
  await engine.advance(5);
  expect([first.text, second.text]).toEqual(['1', '2']);
});

test('after 120 s without progress of a load, requests get model_loading, and the load continues for their retries', async () => {
  const { engine, ask } = setUp();
  let report!: (progress: LoadingProgress) => void;
  let finish!: () => void;
  engine.load = (_model, onProgress) => {
    report = onProgress;
    return new Promise((resolve) => {
      finish = () => resolve(void (engine.loadedModel = 'a'));
    });
  };
  const first = ask('1', { holdTime: null });
  await settle();
  for (let seconds = 0; seconds < 120; seconds += 40) {
    report({ progress: 0.98, text: 'Preparing' });
    expect(first.errorCode).toBeNull();
    await vi.advanceTimersByTimeAsync(40_000);
  }
  expect(first.errorCode).toBe('model_loading');
  const second = ask('2', { holdTime: null });
  await vi.advanceTimersByTimeAsync(119_000);
  expect(second.errorCode).toBeNull();
  finish();
  await settle();
  await engine.advance(3);
  expect(second.text).toBe('2');
});

test('a load without progress for 240 s is abandoned with its engine, despite new requests', async () => {
  const onStuck = vi.fn<() => void>();
  const { engine, ask } = setUp({ onStuck });
  let report!: (progress: LoadingProgress) => void;
  engine.load = (_model, onProgress) => {
    report = onProgress;
    return new Promise(() => {});
  };
  ask('1');
  await settle();
  await vi.advanceTimersByTimeAsync(200_000);
  report({ progress: 0.98, text: 'Preparing' });
  await vi.advanceTimersByTimeAsync(200_000);
  report({ progress: 0.98, text: 'Preparing' });
  ask('2', { model: 'b' });
  await vi.advanceTimersByTimeAsync(39_000);
  expect(onStuck).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2000);
  expect(onStuck).toHaveBeenCalledOnce();
});

test('a finished load is no longer monitored', async () => {
  const onStuck = vi.fn<() => void>();
  await loaded({ onStuck });
  await vi.advanceTimersByTimeAsync(300_000);
  expect(onStuck).not.toHaveBeenCalled();
});

test('a request that waits for a load is told of the load before its position in the queue', async () => {
  const { engine, ask } = await loaded();
  const [first, swapping, next] = [ask('1 1'), ask('2', { model: 'b' }), ask('3')];
  expect(swapping.types).toBe('loading queued');
  expect(next.types).toBe('queued');
  await engine.advance(3);
  expect(first.text).toBe('1 1');
  await engine.advance(3);
  const whileLoading = ask('4', { model: 'b' });
  expect(whileLoading.events.slice(0, 2)).toEqual([
    { type: 'loading', progress: 0.4 },
    { type: 'queued', position: 2 },
  ]);
});

test('the seconds to wait for a loading model are a whole number from 1 to 59', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 600_000 }), fc.nat(9), async (holdTime, tenths) => {
      const { engine, ask } = setUp();
      const asked = ask('1', { holdTime });
      await engine.advance(tenths);
      await vi.advanceTimersByTimeAsync(holdTime);
      const last = asked.events.at(-1);
      const retryAfter = last?.type === 'error' ? last.error.retryAfter : undefined;
      expect(Number.isInteger(retryAfter) && retryAfter! >= 1 && retryAfter! <= 59).toBe(true);
    }),
    { numRuns: 30 },
  );
});

test('time spent waiting for another answer does not count as waiting for a model', async () => {
  const { engine, ask } = await loaded();
  const [first, second] = [ask('1'), ask('2', { holdTime: 1000 })];
  await settle();
  await vi.advanceTimersByTimeAsync(60_000);
  await engine.advance(2);
  expect([first.text, second.text]).toEqual(['1', '2']);
});

test('a model that is not on this device is an error for that request only', async () => {
  const { engine, ask } = await loaded();
  const [unknown, known] = [ask('1', { model: 'c' }), ask('2')];
  await engine.advance(2);
  expect(unknown.errorCode).toBe('model_not_found');
  expect(known.text).toBe('2');
});

test('a failed load is reported to the request and in the status, and the next request tries again', async () => {
  const { engine, ask, completions } = setUp();
  engine.failure = new ApiError('model_load_failed', 'shard-1.bin is damaged.');
  const failed = ask('1');
  await engine.advance(2);
  expect(failed.errorCode).toBe('model_load_failed');
  expect(completions.status).toMatchObject({
    state: 'failed',
    model: 'a',
    error: { message: 'shard-1.bin is damaged.' },
  });
  const next = ask('2');
  await engine.advance(12);
  expect(next.text).toBe('2');
});

test('an error without a code is reported without its text', async () => {
  const { engine, ask } = await loaded();
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  engine.failure = new Error('secret');
  const failed = ask('1');
  await engine.advance(1);
  expect(failed.errorCode).toBe('internal_error');
  expect(JSON.stringify(failed.events)).not.toContain('secret');
  expect(log).toHaveBeenCalled();
  log.mockRestore();
});

test('a lost device is recovered in the background, once', async () => {
  const { engine, ask, completions } = await loaded();
  const lose = () => {
    engine.failure = new ApiError('gpu_device_lost', 'The graphics device was lost.', { retryAfter: 2 });
    engine.loadedModel = null;
  };
  const first = ask('1');
  await engine.advance(0);
  lose();
  await engine.advance(12);
  expect(first.errorCode).toBe('gpu_device_lost');
  expect(engine.history).toEqual(['generate a: 1', 'load a']);
  expect(completions.status).toMatchObject({ state: 'ready' });
  const second = ask('2');
  await engine.advance(0);
  lose();
  await engine.advance(12);
  expect(second.errorCode).toBe('gpu_device_lost');
  expect(engine.history.slice(2)).toEqual(['generate a: 2']);
  expect(completions.status).toMatchObject({ state: 'failed', error: { code: 'gpu_device_lost' } });
});

test('after a crash that leaves no GPU adapter, the engine polls until it is back, and reloads the model', async () => {
  let gone = true;
  const looks: number[] = [];
  const gpu = {
    find: async () => ({ description: 'scripted' }),
    isGone: async () => {
      looks.push(performance.now());
      return gone;
    },
  };
  const { engine, ask, completions } = await loaded({ gpu });
  const crashed = new ApiError('gpu_device_lost', 'The graphics process has crashed.', { retryAfter: 10 });
  engine.loadedModel = null;
  engine.failure = crashed;
  const asked = ask('1');
  await engine.advance(2);
  expect(asked.events.at(-1)).toMatchObject({ type: 'error', error: { code: 'gpu_device_lost', retryAfter: 10 } });
  const start = performance.now();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(looks.map((time) => time - start)).toEqual([1000, 3000, 8000, 18_000, 38_000, 68_000, 98_000]);
  expect(completions.status).toMatchObject({ state: 'failed', error: { code: 'gpu_device_lost' } });
  gone = false;
  engine.history.length = 0;
  engine.runFreely();
  await vi.advanceTimersByTimeAsync(10_000);
  await engine.advance(12);
  expect(engine.history).toEqual(['load a']);
  expect(completions.status).toMatchObject({ state: 'ready', model: 'a' });
});

test('a GPU that is missing for five minutes is no longer polled, but each request tries it', async () => {
  const { engine, ask, completions } = await loaded({
    gpu: { find: async () => ({ description: 'scripted' }), isGone: async () => true },
  });
  engine.loadedModel = null;
  engine.failure = new ApiError('gpu_device_lost', 'The graphics process has crashed.', { retryAfter: 10 });
  ask('1');
  await engine.advance(2);
  await vi.advanceTimersByTimeAsync(310_000);
  expect(completions.status).toMatchObject({ state: 'failed', error: { code: 'gpu_unavailable' } });
  const asked = ask('2');
  await engine.advance(13);
  expect(asked.text).toBe('2');
});

test('the status names a GPU that was found only when a model was loaded', async () => {
  const found = [null, { description: 'nvidia' }];
  const { completions } = await loaded({
    gpu: { find: async () => found.shift() ?? { description: 'nvidia' }, isGone: async () => false },
  });
  expect(completions.status).toMatchObject({ state: 'ready', gpu: 'nvidia' });
});

test('a model that an answer made unusable is reloaded in the background', async () => {
  const { engine, ask, completions } = await loaded();
  const first = ask('1');
  await engine.advance(0);
  engine.failure = new ApiError('engine_unavailable', 'The library failed.', { retryAfter: 5 });
  engine.loadedModel = null;
  await engine.advance(12);
  expect(first.errorCode).toBe('engine_unavailable');
  expect(engine.history).toEqual(['generate a: 1', 'load a']);
  expect(completions.status).toMatchObject({ state: 'ready' });
});

for (const { tokens, time } of [
  { tokens: 0, time: 300_000 },
  { tokens: 1, time: 60_000 },
]) {
  test(`an engine silent for ${time / 1000} s after ${tokens} tokens is reported, unloaded and reloaded`, async () => {
    const { engine, ask } = await loaded();
    engine.stuckAfter = tokens;
    const [first, second] = [ask('1 1 1'), ask('2')];
    await engine.advance(tokens);
    await vi.advanceTimersByTimeAsync(time - 1);
    expect(first.errorCode).toBeNull();
    engine.stuckAfter = Infinity;
    await vi.advanceTimersByTimeAsync(1);
    expect(first.errorCode).toBe('engine_timeout');
    await engine.advance(15);
    expect(engine.history).toEqual(['generate a: 1 1 1', 'unload', 'load a', 'generate a: 2']);
    expect(second.text).toBe('2');
  });
}

for (const { tokens, time, what } of [
  { what: 'during a prefill that cannot be interrupted', tokens: 0, time: 300_000 },
  { what: 'between two tokens', tokens: 1, time: 15_000 },
]) {
  test(`an engine that is cancelled ${what}, and does not stop within ${time / 1000} s, is unloaded`, async () => {
    const { engine, ask } = await loaded();
    engine.stuckAfter = tokens;
    const first = ask('1 1');
    await engine.advance(tokens);
    first.completion.cancel();
    engine.stuckAfter = Infinity;
    await vi.advanceTimersByTimeAsync(time - 1);
    expect(engine.history).toEqual(['generate a: 1 1']);
    await vi.advanceTimersByTimeAsync(1);
    expect(engine.history).toEqual(['generate a: 1 1', 'unload', 'load a']);
  });
}

test('an engine that cannot be unloaded is abandoned', async () => {
  const onStuck = vi.fn<() => void>();
  const { engine, ask } = await loaded({ timeouts: { prefill: 1000, stop: 1000 }, onStuck });
  engine.stuckAfter = 0;
  engine.stuckForGood = true;
  ask('1');
  await settle();
  await vi.advanceTimersByTimeAsync(2000);
  expect(onStuck).toHaveBeenCalledOnce();
});

test('a repeated request joins its orphaned completion, and gets every event from the start', async () => {
  const { engine, ask, completions } = await loaded();
  const first = ask('1 2 3', { fingerprint: 'same' });
  await engine.advance(2);
  completions.joinable.orphan(first.completion);
  const second = ask('1 2 3', { fingerprint: 'same' });
  await engine.advance(3);
  expect(second.text).toBe('1 2 3');
  expect(engine.history).toEqual(['generate a: 1 2 3']);
});

test('a repeated request also joins a finished orphaned completion, while it is kept', async () => {
  const { engine, ask, completions } = await loaded();
  const first = ask('1', { fingerprint: 'same' });
  await engine.advance(2);
  completions.joinable.orphan(first.completion);
  expect(ask('1', { fingerprint: 'same' }).text).toBe('1');
  completions.joinable.orphan(first.completion);
  await vi.advanceTimersByTimeAsync(2000);
  const late = ask('1', { fingerprint: 'same' });
  expect(late.text).toBe('');
  await engine.advance(2);
  expect(engine.history).toEqual(['generate a: 1', 'generate a: 1']);
});

test('an orphaned completion that no request joins is ended after the grace time', async () => {
  const { engine, ask, completions } = await loaded({ joinable: { graceTime: 2000 } });
  const first = ask('1 1 1 1 1 1');
  await engine.advance(2);
  completions.joinable.orphan(first.completion);
  await vi.advanceTimersByTimeAsync(2000);
  await engine.advance();
  expect(engine.history.at(-1)).toBe('stopped');
});

test('unloading waits for earlier requests, and frees the model', async () => {
  const { engine, ask, completions } = await loaded();
  const asked = ask('1 1');
  const unloading = completions.unload();
  await engine.advance(4);
  await unloading;
  expect(asked.text).toBe('1 1');
  expect(engine.history).toEqual(['generate a: 1 1', 'unload']);
  expect(completions.status).toEqual({ state: 'idle' });
});

test('in any order of requests, cancellations and losses, each request ends exactly once and the next one succeeds', async () => {
  const action = fc.oneof(
    fc.record({
      type: fc.constant('ask' as const),
      model: fc.constantFrom('a', 'b', 'c'),
      words: fc.integer({ min: 1, max: 4 }),
    }),
    fc.record({ type: fc.constant('cancel' as const), which: fc.nat(20) }),
    fc.record({ type: fc.constant('orphan' as const), which: fc.nat(20) }),
    fc.record({ type: fc.constant('advance' as const), steps: fc.integer({ min: 1, max: 8 }) }),
    fc.record({ type: fc.constant('pass time' as const), time: fc.integer({ min: 1, max: 3000 }) }),
    fc.record({
      type: fc.constant('fail' as const),
      code: fc.constantFrom(
        'gpu_device_lost' as const,
        'model_load_failed' as const,
        'context_length_exceeded' as const,
      ),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 25 }), async (actions) => {
      const { engine, ask, completions } = setUp();
      const all: Asked[] = [];
      const dropped = new Set<Asked>();
      const pick = (which: number) => all[which % Math.max(1, all.length)];
      for (const action of actions) {
        if (action.type === 'ask')
          all.push(ask('word '.repeat(action.words).trim(), { model: action.model, holdTime: 2000 }));
        else if (action.type === 'advance') await engine.advance(action.steps);
        else if (action.type === 'pass time') await vi.advanceTimersByTimeAsync(action.time);
        else if (action.type === 'fail') engine.failure = new ApiError(action.code, 'Scripted.');
        else {
          const asked = pick(action.which);
          if (!asked || dropped.has(asked)) continue;
          dropped.add(asked);
          if (action.type === 'cancel') asked.completion.cancel();
          else completions.joinable.orphan(asked.completion);
        }
      }
      engine.failure = null;
      await vi.advanceTimersByTimeAsync(5000);
      engine.runFreely();
      await engine.advance(60);
      const last = ask('the end');
      await engine.advance(20);
      expect(last.text).toBe('the end');
      expect(engine.mostRunning).toBe(1);
      expect(engine.running).toBe(0);
      for (const asked of all) {
        const ends = asked.events.flatMap(({ type }, index) => (type === 'done' || type === 'error' ? [index] : []));
        expect(asked.completion.log.ended).toBe(true);
        // A completion ends with exactly one final event. A cancelled one may have no listener to receive it.
        expect(dropped.has(asked) && ends.length === 0 ? [] : [asked.events.length - 1]).toEqual(ends);
      }
    }),
    { numRuns: 200 },
  );
}, 60_000);

const VECTORS = { model: 'vectors', embed: { inputs: ['one', 'two', 'three'], dimensions: null } };

test('a text model stays loaded beside an embedding model, and neither is reloaded', async () => {
  const { engine, completions, ask } = setUp();
  engine.runFreely();
  for (const question of [{}, VECTORS, {}, VECTORS, {}]) {
    const asked = ask('word', question);
    await vi.waitFor(() => expect(asked.types).toMatch(/done$/));
  }
  const answered = 'generate a: word';
  const embedded = 'embed vectors: 3';
  expect(engine.history).toEqual(['load a', answered, 'load vectors', embedded, answered, embedded, answered]);
  expect(completions.status).toMatchObject({ state: 'ready', model: 'a', embeddingModel: 'vectors' });
});

test('a model whose context window was changed is reloaded for the next question, once', async () => {
  let contextWindow = 1000;
  const { engine, ask } = setUp({ findModel: async (id) => ({ ...model(id), contextWindow }) });
  engine.runFreely();
  for (const tokens of [1000, 2000, 2000]) {
    contextWindow = tokens;
    const asked = ask('word');
    await vi.waitFor(() => expect(asked.types).toMatch(/done$/));
  }
  const answered = 'generate a: word';
  expect(engine.history).toEqual(['load a', answered, 'load a', answered, answered]);
});

test.each([
  ['a', {}],
  ['vectors', VECTORS],
])(
  'a model that is lost when an answer is stopped is loaded again, and no failure is shown: %s',
  async (id, options) => {
    const { engine, ask, completions } = await loaded();
    if (id === 'vectors') engine.loadedEmbeddingModel = id;
    const states: string[] = [];
    completions.watchStatus(({ state }) => states.push(state));
    const lose = (failure: Error) => {
      engine.failure = failure;
      engine[id === 'vectors' ? 'loadedEmbeddingModel' : 'loadedModel'] = null;
    };
    for (let times = 1; times <= 2; times++) {
      engine.history.length = 0;
      const { completion } = ask('1 1', options);
      await engine.advance(1);
      lose(new DOMException('This operation was aborted', 'AbortError'));
      completion.cancel();
      await engine.advance(12);
      expect(engine.history.slice(1)).toEqual([`load ${id}`]);
    }
    expect(states).not.toContain('failed');
    // The loads above do not count as the one load after a failure.
    engine.history.length = 0;
    ask('1 1', options);
    await engine.advance(0);
    lose(new ApiError('engine_unavailable', 'The library failed.', { retryAfter: 5 }));
    await engine.advance(12);
    expect(engine.history.slice(1)).toEqual([`load ${id}`]);
  },
);

test('chat and embedding requests wait in one queue', async () => {
  const { engine, ask } = setUp();
  engine.runFreely();
  const asked = Array.from({ length: 8 }, (_, index) => ask('two words', index % 2 ? VECTORS : {}));
  await vi.waitFor(() => expect(asked.map(({ types }) => types.split(' ').at(-1))).toEqual(asked.map(() => 'done')));
  expect(engine.mostRunning).toBe(1);
  expect(asked[6]?.types).toMatch(/^(loading |queued )+prefill delta delta finish done$/);
  expect(asked[7]?.types).toMatch(/^(loading |queued )+prefill delta prefill delta prefill delta done$/);
});

test('embeddings whose client disconnects are not computed to the end', async () => {
  const { engine, ask } = setUp();
  engine.loadedEmbeddingModel = 'vectors';
  const asked = ask('', VECTORS);
  await engine.advance(2);
  asked.completion.cancel();
  const next = ask('word');
  engine.runFreely();
  await vi.waitFor(() => expect(next.types).toMatch(/done$/));
  expect(engine.history.slice(0, 2)).toEqual(['embed vectors: 3', 'stopped']);
});

test('an embedding model that works beside a text model causes no status changes', async () => {
  const { engine, completions, ask } = setUp();
  engine.runFreely();
  await completions.load(model('a'), SITE);
  const states: string[] = [];
  completions.watchStatus(({ state }) => states.push(state));
  engine.failure = new ApiError('model_load_failed', 'Not today.');
  const refused = ask('', VECTORS);
  await vi.waitFor(() => expect(refused.errorCode).toBe('model_load_failed'));
  const asked = ask('', VECTORS);
  await vi.waitFor(() => expect(asked.types).toMatch(/done$/));
  expect(new Set(states)).toEqual(new Set(['ready']));
  await completions.unload();
  await completions.load(model('vectors'), SITE);
  expect(states.filter((state, index) => state !== states[index - 1])).toEqual(['ready', 'idle', 'loading', 'ready']);
  expect(completions.status).toMatchObject({ model: 'vectors', embeddingModel: 'vectors' });
});

test('a load whose request was cancelled is finished, not aborted, if an embedding request follows', async () => {
  const { engine, ask } = setUp();
  const first = ask('word');
  await engine.advance(3);
  first.completion.cancel();
  const asked = ask('', VECTORS);
  engine.runFreely();
  await vi.waitFor(() => expect(asked.types).toMatch(/done$/));
  expect(engine.history).toEqual(['load a', 'load vectors', 'embed vectors: 3']);
});
