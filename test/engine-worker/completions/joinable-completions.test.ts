import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import {
  AnswersElsewhere,
  CANCELLED_ANSWERS_CHANNEL,
} from '../../../src/engine-worker/completions/answers-elsewhere.ts';
import { Completions } from '../../../src/engine-worker/completions/completions.ts';
import type { JoinableLimits } from '../../../src/engine-worker/completions/joinable-completions.ts';
import { embeddedSite } from '../../../src/engine-worker/embedded-site.ts';
import { ApiError } from '../../../src/shared/api-error.ts';
import { builtInModel } from '../../../src/shared/models/built-in-models.ts';
import type { CompletionEvent } from '../../../src/shared/engine/completion-event.ts';
import type { ResumableStream } from '../../../src/shared/http/resumable-stream.ts';
import { completionRequest } from '../../support/fakes/completion-request.ts';
import { MemoryAnswers } from '../../support/fakes/memory-answers.ts';
import { ScriptedEngine } from '../../support/fakes/scripted-engine.ts';
import { MemoryLocks } from '../../support/fakes/web-locks.ts';

const SITE = 'https://site.test/';
const OTHER_SITE = 'https://site.test/other/';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
});

function setUp(limits: Partial<JoinableLimits> = {}, elsewhere?: AnswersElsewhere) {
  const engine = new ScriptedEngine();
  engine.loadedModel = 'a';
  /** For each stored log, by the id of its answer: the types of its events, each once. */
  const logs = new Map<string, string>();
  const database = { fails: false, hangs: false, attempts: 0 };
  const completions = new Completions({
    engine,
    findModel: async (id) => ({ ...builtInModel(SITE), id }),
    joinable: limits,
    ...(elsewhere && { elsewhere }),
    async saveLog(id, log) {
      database.attempts++;
      if (database.hangs) await new Promise(() => {});
      if (database.fails) throw new ApiError('storage_unavailable', 'The disk is full.');
      logs.set(id, [...new Set(log.map(({ type }) => type))].join(' '));
    },
  });
  let count = 0;
  /** Starts a completion that answers `text` and has `text` as its stream id, and subscribes to it. */
  const ask = (text: string, how: Partial<ResumableStream> & { site?: string; fingerprint?: string } = {}) => {
    const { site = SITE, fingerprint = text, ...stream } = how;
    const resumable = { id: text, outlives: 'service-worker', joinsOnly: false, ...stream } as const;
    const options = { requestId: `request ${count++}`, fingerprint, holdTime: null, resumable };
    const completion = completions.start(completionRequest(text), options, site);
    const events: CompletionEvent[] = [];
    const unsubscribe = completion.log.subscribe((event) => events.push(event));
    return {
      get text() {
        return events.flatMap((event) => (event.type === 'delta' ? [event.content] : [])).join(' ');
      },
      get said() {
        const last = events.at(-1);
        return last?.type === 'error' ? last.error.code : this.text;
      },
      leave: () => (unsubscribe(), completions.joinable.leave(completion)),
      freeze: () => (unsubscribe(), completions.joinable.awaitReturn(completion)),
      die: () => (unsubscribe(), completions.joinable.orphan(completion)),
    };
  };
  const find = (text: string, how: Parameters<typeof ask>[1] = {}) => ask(text, { joinsOnly: true, ...how }).said;
  return { engine, completions, ask, find, logs, database };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

test('an answer can be found while it runs and for some minutes after its end', async () => {
  const { engine, ask, find } = setUp({ age: 300_000 });
  ask('1 2');
  await engine.advance(1);
  expect(find('1 2')).toBe('1');
  await engine.advance(3);
  await vi.advanceTimersByTimeAsync(299_000);
  expect(find('1 2')).toBe('1 2');
  await vi.advanceTimersByTimeAsync(1000);
  expect(find('1 2')).toBe('stream_not_found');
  expect(engine.history).toEqual(['generate a: 1 2']);
});

test('a limited number of answers is kept, the latest ones, separately for each site', async () => {
  const { engine, ask, find } = setUp({ count: 2 });
  engine.runFreely();
  for (const text of ['one', 'two', 'three']) {
    ask(text);
    ask(text, { site: OTHER_SITE, id: `other ${text}` });
    await settle();
    await engine.advance(4);
  }
  expect(['one', 'two', 'three'].map((text) => find(text))).toEqual(['stream_not_found', 'two', 'three']);
  expect(find('one', { site: OTHER_SITE, id: 'other one' })).toBe('stream_not_found');
  expect(find('three', { site: OTHER_SITE, id: 'other three' })).toBe('three');
  expect(find('three', { site: OTHER_SITE })).toBe('stream_not_found');
});

test('kept answers have a limited size, but a running one is never evicted', async () => {
  const { engine, ask, find } = setUp({ characters: 700 });
  const runs = Array.from({ length: 20 }, () => 'long').join(' ');
  for (const text of ['short', 'brief']) {
    ask(text);
    await engine.advance(3);
  }
  expect([find('short'), find('brief')]).toEqual(['short', 'brief']);
  const running = ask(runs);
  await engine.advance(19);
  expect([find('short'), find('brief'), find(runs)]).toEqual(['short', 'brief', running.said]);
  await engine.advance(3);
  expect(running.said).toBe(runs);
  expect([find('short'), find('brief'), find(runs)]).toEqual(Array(3).fill('stream_not_found'));
});

test('a client whose service worker died has some seconds to reconnect, then its answer is ended', async () => {
  const { engine, ask, find } = setUp({ returnTime: 15_000 });
  const first = ask('1 2 3 4');
  await engine.advance(1);
  first.die();
  await vi.advanceTimersByTimeAsync(14_000);
  const second = ask('1 2 3 4');
  await vi.advanceTimersByTimeAsync(20_000);
  await engine.advance(1);
  expect(second.said).toBe('1 2');
  second.die();
  await vi.advanceTimersByTimeAsync(15_000);
  await engine.advance(1);
  expect(engine.history).toEqual(['generate a: 1 2 3 4', 'stopped']);
  expect(find('1 2 3 4')).toBe('stream_not_found');
});

test.each(['service-worker', 'page'] as const)(
  'the answer of a frozen page goes on for some minutes, and longer only if it may outlive its page: the %s',
  async (outlives) => {
    const { engine, ask } = setUp({ age: 300_000 });
    const first = ask('1 2 3 4', { outlives });
    await engine.advance(1);
    first.freeze();
    await vi.advanceTimersByTimeAsync(299_000);
    const second = ask('1 2 3 4', { outlives });
    await vi.advanceTimersByTimeAsync(600_000);
    await engine.advance(1);
    expect(second.said).toBe('1 2');
    second.freeze();
    await vi.advanceTimersByTimeAsync(300_000);
    await engine.advance(1);
    const late = ask('1 2 3 4', { outlives, joinsOnly: true });
    expect([late.said, late.text]).toEqual(outlives === 'page' ? ['1 2 3', '1 2 3'] : ['stream_not_found', '1 2']);
    expect(engine.history).toEqual(['generate a: 1 2 3 4', ...(outlives === 'page' ? [] : ['stopped'])]);
  },
);

test.each([
  ['service-worker', true],
  ['page', false],
] as const)(
  'an answer ends with its last subscriber, unless it may outlive its page: one that may outlive the %s',
  async (outlives, ends) => {
    const { engine, ask, find } = setUp();
    const [first, second] = [ask('1 2 3', { outlives }), ask('1 2 3', { outlives })];
    await engine.advance(1);
    first.leave();
    await engine.advance(1);
    expect(second.said).toBe('1 2');
    second.leave();
    await engine.advance(2);
    expect(engine.history.includes('stopped')).toBe(ends);
    expect(find('1 2 3')).toBe(ends ? 'stream_not_found' : '1 2 3');
  },
);

test('a cancelled id is never generated, whether the request came before or comes later, and its subscribers are told', async () => {
  const { engine, ask, completions } = setUp();
  completions.joinable.cancel(SITE, 'later');
  expect(ask('later').said).toBe('stream_not_found');
  const readers = [ask('1 2', { outlives: 'page' }), ask('1 2', { outlives: 'page' })];
  await engine.advance(1);
  completions.joinable.cancel(SITE, '1 2');
  expect(readers.map(({ said }) => said)).toEqual(['stream_not_found', 'stream_not_found']);
  await engine.advance(1);
  expect(engine.history).toEqual(['generate a: 1 2', 'stopped']);
  expect(ask('1 2').said).toBe('stream_not_found');
});

test('a failed answer reports its error to joining subscribers, and is generated again for a new request', async () => {
  const { engine, ask, find } = setUp();
  engine.failure = new ApiError('gpu_device_lost', 'Lost.');
  ask('1');
  await engine.advance(1);
  engine.loadedModel = 'a';
  expect(find('1')).toBe('gpu_device_lost');
  const again = ask('1');
  await engine.advance(3);
  expect(again.said).toBe('1');
});

test('an id belongs to the request that introduced it', async () => {
  const { engine, ask } = setUp();
  engine.runFreely();
  ask('1');
  await engine.advance(3);
  expect(ask('1', { fingerprint: 'another key, or other words' }).said).toBe('invalid_value');
});

const STORED = { outlives: 'page' } as const;
const store = (answerId: string) => ({ ...STORED, id: answerId, answerId });

test('the events of a stored answer are stored at its end, also without a subscriber', async () => {
  const { engine, ask, logs } = setUp();
  ask('1 2', { ...STORED, answerId: 'first' }).die();
  await engine.advance(1);
  expect([...logs]).toEqual([]);
  await engine.advance(3);
  expect([...logs]).toEqual([['first', 'begun prefill delta finish done']]);
});

test.each([1, 9, 100, 290])(
  'an answer whose log cannot be written for %d s is stored after that, and its engine does not end before',
  async (seconds) => {
    const { engine, completions, ask, logs, database } = setUp();
    database.fails = true;
    ask('1 2', store('first'));
    await engine.advance(4);
    await vi.advanceTimersByTimeAsync(seconds * 1000);
    expect([logs.size, completions.joinable.isSaving]).toEqual([0, true]);
    database.fails = false;
    await vi.advanceTimersByTimeAsync(30_000);
    expect([...logs]).toEqual([['first', 'begun prefill delta finish done']]);
    expect(completions.joinable.isSaving).toBe(false);
  },
);

test.each(['fails', 'hangs'] as const)('a log is given up after some minutes whose database %s', async (how) => {
  const { engine, completions, ask, database } = setUp();
  database[how] = true;
  ask('1', store('first'));
  await engine.advance(3);
  await vi.advanceTimersByTimeAsync(400_000);
  const { attempts } = database;
  expect(attempts).toBeLessThan(20);
  expect(completions.joinable.isSaving).toBe(false);
  await vi.advanceTimersByTimeAsync(400_000);
  expect(database.attempts).toBe(attempts);
});

test('a log is stored by a later attempt if its database does not answer the first', async () => {
  const { engine, completions, ask, logs, database } = setUp();
  database.hangs = true;
  ask('1', store('first'));
  await engine.advance(3);
  await vi.advanceTimersByTimeAsync(10_000);
  database.hangs = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect([logs.size, database.attempts, completions.joinable.isSaving]).toEqual([1, 2, false]);
});

test('the log of a failed attempt whose storing is late does not replace that of the next attempt', async () => {
  const { engine, completions, ask, logs, database } = setUp();
  database.fails = true;
  ask('1 2', store('first'));
  await engine.advance(1);
  engine.failure = new ApiError('gpu_device_lost', 'Lost.');
  await engine.advance(1);
  await vi.advanceTimersByTimeAsync(10_000);
  engine.loadedModel = 'a';
  ask('1 2', store('first'));
  await engine.advance(4);
  database.fails = false;
  await vi.advanceTimersByTimeAsync(300_000);
  expect([...logs]).toEqual([['first', 'begun prefill delta finish done']]);
  expect(completions.joinable.isSaving).toBe(false);
});

test('a failed or cancelled answer is stored too, but not a deleted one, or one that is not to be stored', async () => {
  const { engine, completions, ask, logs } = setUp();
  ask('1');
  await engine.advance(3);
  for (const how of ['fails', 'cancelled', 'deleted'] as const) {
    engine.loadedModel = 'a';
    ask(`${how} in its middle`, { ...STORED, id: how, answerId: how });
    await engine.advance(2);
    if (how === 'fails') engine.failure = new ApiError('gpu_device_lost', 'Lost.');
    else completions.joinable.cancel(SITE, how, { deleted: how === 'deleted' });
    await engine.advance(4);
  }
  expect([...logs]).toEqual([
    ['fails', 'begun prefill delta error'],
    ['cancelled', 'begun prefill delta error'],
  ]);
});

test('a cancelled answer tells how it has ended, as one that is stored does, and is never generated again', async () => {
  const { engine, completions, ask, find } = setUp();
  const how = store('cancelled');
  ask('1 2 3', how).die();
  await engine.advance(1);
  completions.joinable.cancel(SITE, 'cancelled');
  expect(find('1 2 3', how)).toBe('answer_cancelled');
  expect(ask('1 2 3', how).said).toBe('answer_cancelled');
  completions.joinable.cancel(SITE, 'cancelled', { deleted: true });
  expect(find('1 2 3', how)).toBe('stream_not_found');
  await engine.advance(3);
  expect(engine.history).toEqual(['generate a: 1 2 3', 'stopped']);
  // A repetition of the request has another id, and is a new request.
  ask('1 2 3', store('repeated'));
  await engine.advance(1);
  expect(engine.history).toHaveLength(3);
});

test('an answer that is to be cancelled if unread continues while it has a subscriber', async () => {
  const { engine, completions, ask } = setUp();
  const reader = ask('1 2 3', store('read'));
  await engine.advance(1);
  completions.joinable.cancel(SITE, 'read', { ifUnread: true });
  await engine.advance(1);
  expect(reader.said).toBe('1 2');
  reader.leave();
  completions.joinable.cancel(SITE, 'read', { ifUnread: true });
  await engine.advance(2);
  expect(engine.history).toEqual(['generate a: 1 2 3', 'stopped']);
});

test('a repeated request joins the answer of its dead subscriber under any id, another request does not', async () => {
  const { engine, ask } = setUp({ graceTime: 2000 });
  const first = ask('1 2 3', store('first'));
  await engine.advance(1);
  // The first answer still has its subscriber, so an equal request starts another one.
  ask('1 2 3', store('second'));
  first.die();
  const third = ask('1 2 3', store('third'));
  await engine.advance(1);
  expect(third.said).toBe('1 2');
  third.die();
  await vi.advanceTimersByTimeAsync(2000);
  ask('1 2 3', store('fourth'));
  engine.runFreely();
  await engine.advance(9);
  expect(engine.history).toEqual(Array(3).fill('generate a: 1 2 3'));
});

test.for([
  ['this site', SITE, '', 1],
  ['a site that uses this engine through its hub', embeddedSite('https://other.test'), 'stream_not_found', 0],
] as const)(
  'other engines are asked for answers of %s, and told of them: %s, %j, %i',
  async ([, site, refused, claims]) => {
    const locks = new MemoryLocks();
    vi.stubGlobal('navigator', { locks });
    const channel = new BroadcastChannel(CANCELLED_ANSWERS_CHANNEL);
    onTestFinished(() => {
      channel.close();
      vi.unstubAllGlobals();
    });
    const { ask, find, completions } = setUp({}, new AnswersElsewhere('engine', new MemoryAnswers(), channel));
    expect(find('unknown', { site, answerId: 'unknown' })).toBe(refused);
    completions.joinable.cancel(site, 'cancelled');
    expect(find('cancelled', { site, answerId: 'cancelled' })).toBe(refused);
    ask('1 2', { site, answerId: 'running' });
    await settle();
    expect((await locks.query()).held).toHaveLength(claims);
  },
);
