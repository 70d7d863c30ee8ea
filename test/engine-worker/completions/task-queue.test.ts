import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { TaskQueue } from '../../../src/engine-worker/completions/task-queue.ts';
import { ApiError } from '../../../src/shared/api-error.ts';

const CAPACITY = 3;

/** Records the state and positions of a task, and controls it. */
class Watched {
  readonly controller = new AbortController();
  readonly positions: number[] = [];
  state: 'refused' | 'waiting' | 'running' | 'finished' | 'left' = 'waiting';
  finish: () => void = () => {};

  constructor(queue: TaskQueue, canRunBeside?: () => boolean) {
    const task = () =>
      new Promise<void>((resolve) => {
        this.state = 'running';
        this.finish = resolve;
      });
    try {
      const onPosition = (position: number) => this.positions.push(position);
      const options = { signal: this.controller.signal, onPosition, ...(canRunBeside && { canRunBeside }) };
      queue.add(task, options).then(
        () => (this.state = 'finished'),
        () => (this.state = 'left'),
      );
    } catch (thrown) {
      if (!(thrown instanceof ApiError) || thrown.code !== 'rate_limit_exceeded') throw thrown;
      this.state = 'refused';
    }
  }
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('in any order of events, tasks run one at a time in their order, and know their position', async () => {
  const action = fc.oneof(
    fc.constant({ type: 'add' } as const),
    fc.constant({ type: 'finish' } as const),
    fc.record({ type: fc.constant('leave' as const), place: fc.nat(CAPACITY) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 30 }), async (actions) => {
      const queue = new TaskQueue(CAPACITY);
      const all: Watched[] = [];
      // The expected queue; its first task runs.
      let expected: Watched[] = [];
      for (const action of actions) {
        if (action.type === 'add') {
          const task = new Watched(queue);
          all.push(task);
          if (expected.length <= CAPACITY) expected.push(task);
        } else if (action.type === 'finish') {
          expected[0]?.finish();
          expected = expected.slice(1);
        } else {
          const leaver = expected[action.place + 1];
          leaver?.controller.abort();
          expected = expected.filter((task) => task !== leaver);
        }
        await settle();
        const refused = all.filter(({ state }) => state === 'refused');
        expect(expected.some((task) => refused.includes(task))).toBe(false);
        expect(all.filter(({ state }) => state === 'running')).toEqual(expected.slice(0, 1));
        expect(all.filter(({ state }) => state === 'waiting')).toEqual(expected.slice(1));
        expect(expected.slice(1).map(({ positions }) => positions.at(-1))).toEqual(
          expected.slice(1).map((_, index) => index + 1),
        );
        expect(queue.size).toBe(expected.length);
      }
    }),
  );
});

test('a full queue reports in how many seconds to retry, from 1 to 59', () => {
  const queue = new TaskQueue(0);
  const { signal } = new Watched(queue).controller;
  const refusal = expect.objectContaining({
    code: 'rate_limit_exceeded',
    retryAfter: expect.toSatisfy((seconds: number) => Number.isInteger(seconds) && seconds >= 1 && seconds <= 59),
  });
  expect(() => queue.add(async () => {}, { signal })).toThrow(refusal);
});

test('short tasks take no place of the others, run in their turn and have a limit of their own', async () => {
  const queue = new TaskQueue(1);
  const running = new Watched(queue);
  await settle();
  const done: string[] = [];
  const short = (name: string) => queue.add(async () => void done.push(name), { isShort: true });
  const shorts = Array.from({ length: 8 }, (_, index) => short(`short ${index}`));
  const asked = queue.add(async () => void done.push('asked'));
  expect(() => short('one too many')).toThrow(expect.objectContaining({ code: 'rate_limit_exceeded' }));
  expect(new Watched(queue).state).toBe('refused');
  running.finish();
  await Promise.all([...shorts, asked]);
  expect(done).toEqual([...Array.from({ length: 8 }, (_, index) => `short ${index}`), 'asked']);
});

test('tasks that can run beside others start together, in order, and none passes a task that must run alone', async () => {
  const queue = new TaskQueue(CAPACITY);
  const canRunBeside = () => queue.running < 2;
  const [first, second, alone, last] = [
    new Watched(queue, canRunBeside),
    new Watched(queue, canRunBeside),
    new Watched(queue),
    new Watched(queue, canRunBeside),
  ];
  const states = () => [first, second, alone, last].map(({ state }) => state);
  await settle();
  expect(states()).toEqual(['running', 'running', 'waiting', 'waiting']);
  expect([queue.running, queue.size, alone.positions, last.positions]).toEqual([2, 4, [2], [3]]);
  second.finish();
  await settle();
  expect(states()).toEqual(['running', 'finished', 'waiting', 'waiting']);
  expect([alone.positions, last.positions]).toEqual([
    [2, 1],
    [3, 2],
  ]);
  first.finish();
  await settle();
  expect(alone.state).toBe('running');
});

test('a task that can run beside others starts when the task before it has left the queue', async () => {
  const queue = new TaskQueue(CAPACITY);
  const running = new Watched(queue);
  const alone = new Watched(queue);
  const beside = new Watched(queue, () => true);
  alone.controller.abort();
  await settle();
  expect([running, alone, beside].map(({ state }) => state)).toEqual(['running', 'left', 'running']);
});

test('a failed task is followed by the next one', async () => {
  const queue = new TaskQueue(CAPACITY);
  const { signal } = new AbortController();
  const failed = queue.add(() => Promise.reject(new Error('broken')), { signal });
  const next = queue.add(async () => 'answer', { signal });
  await expect(failed).rejects.toThrow('broken');
  await expect(next).resolves.toBe('answer');
});

test('a task whose signal has already aborted never runs', async () => {
  const queue = new TaskQueue(CAPACITY);
  let ran = false;
  const task = async () => (ran = true);
  await expect(queue.add(task, { signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone');
  expect([ran, queue.size]).toEqual([false, 0]);
});

test('an unbounded task is queued at the end of a full queue', async () => {
  const queue = new TaskQueue(1);
  const [running, waiting] = [new Watched(queue), new Watched(queue)];
  let ran = false;
  await settle();
  const extra = queue.add(async () => (ran = true), { signal: new AbortController().signal, bounded: false });
  running.finish();
  await settle();
  expect([waiting.state, ran]).toEqual(['running', false]);
  waiting.finish();
  await expect(extra).resolves.toBe(true);
});

test('unbounded tasks, such as deletions of models, take no place of the others', async () => {
  const queue = new TaskQueue(1);
  const running = new Watched(queue);
  await settle();
  const deletions = [1, 2].map(() => queue.add(async () => {}, { bounded: false }));
  expect([new Watched(queue).state, new Watched(queue).state]).toEqual(['waiting', 'refused']);
  running.finish();
  await Promise.all(deletions);
});

test('tasks in the background run after all others, also after later ones, and take no place of the queue', async () => {
  const queue = new TaskQueue(2);
  const order: string[] = [];
  const finish: (() => void)[] = [];
  const add = (name: string, isBackground = false) =>
    queue.add(
      () =>
        new Promise<void>((resolve) => {
          order.push(name);
          finish.push(resolve);
        }),
      { isBackground, ...(isBackground && { bounded: false }) },
    );
  const tasks = [add('first'), add('background 1', true), add('background 2', true), add('second'), add('third')];
  expect(() => add('fourth')).toThrow(ApiError);
  for (let task = 0; task < tasks.length; task++) {
    await settle();
    finish.shift()!();
  }
  await Promise.all(tasks);
  expect(order).toEqual(['first', 'second', 'third', 'background 1', 'background 2']);
});

/** Adds tasks of these lanes while one runs, and returns the order in which they start. */
async function startOrder(lanes: readonly string[], inForeground: readonly string[] = []): Promise<string> {
  const queue = new TaskQueue(20, (lane) => inForeground.includes(lane));
  const order: string[] = [];
  const first = new Promise<void>((resolve) => setImmediate(resolve));
  const tasks = [queue.add(() => first)];
  for (const lane of lanes) tasks.push(queue.add(async () => void order.push(lane), { lane }));
  await Promise.all(tasks);
  return order.join('');
}

test.each([
  ['one lane keeps its order', 'aaa', '', 'aaa'],
  ['two lanes take turns', 'aaabb', '', 'ababa'],
  ['a lane that comes later waits for one task of each other lane', 'aaaabbbbc', '', 'abcababab'],
  ['a lane in the foreground goes first', 'aaabb', 'b', 'bbaaa'],
  ['after four tasks of the foreground comes one of the others', 'abbbbbbbbb', 'b', 'bbbbabbbbb'],
])('%s', async (_, lanes, inForeground, expected) => {
  expect(await startOrder([...lanes], [...inForeground])).toBe(expected);
});

const never = () => new Promise<never>(() => {});

test('each lane has its own limit of waiting tasks', () => {
  const queue = new TaskQueue(2);
  const add = (lane: string) => void queue.add(never, { lane });
  add('a');
  add('a');
  add('a');
  expect(() => add('a')).toThrow(ApiError);
  add('b');
  add('b');
  expect(() => add('b')).toThrow(ApiError);
});
