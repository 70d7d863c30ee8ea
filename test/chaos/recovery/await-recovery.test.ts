import { expect, onTestFinished, test, vi } from 'vitest';
import type { ChaosContext } from '../fault.ts';
import { contextOf } from '../scripted-context.ts';
import { SeededRandom } from '../seeded-random.ts';
import { awaitQuiet } from './await-quiet.ts';
import { awaitRecovery } from './await-recovery.ts';

/** A clock that advances by ten seconds whenever it is read. */
function fastClock() {
  let reads = 0;
  return {
    get now() {
      return 10_000 * reads++;
    },
  };
}

/** Adds the outcome of a request that each of these tabs has just sent. */
function note({ tabs, traffic }: ChaosContext, places: readonly number[], outcome: string): void {
  const now = performance.now();
  for (const place of places) traffic.historyOf(tabs.at(place)!).note(now, now, outcome);
}

const STILL = { now: 0 };

test('each working tab is waited for until a request that it sent after the faults is answered right', async () => {
  const context = await contextOf(() => ({}));
  note(context, [0, 1, 2], 'right');
  let ended = false;
  const recovering = awaitRecovery(context, STILL, ['engine killed'], new SeededRandom(1)).finally(
    () => (ended = true),
  );
  note(context, [0, 1], 'right');
  note(context, [2], '503 engine_unavailable');
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(ended).toBe(false);
  note(context, [2], 'right');
  expect(await recovering).toHaveLength(3);
});

test('a stopped tab is not waited for, and one that is opened again is', async () => {
  const context = await contextOf(() => ({}));
  const [stopped, closed] = context.tabs.all;
  stopped!.state = 'frozen';
  await closed!.close();
  const recovering = awaitRecovery(context, STILL, ['tab closed'], new SeededRandom(1));
  note(context, [2], 'right');
  await context.tabs.restore(closed!);
  const answering = setInterval(() => note(context, [1], 'right'), 20);
  const recoveries = await recovering;
  clearInterval(answering);
  expect(recoveries.map(({ tab }) => tab)).toEqual([3, 4]);
});

test('a tab that crashed with another one is opened again', async () => {
  const context = await contextOf(() => ({}));
  context.tabs.all[0]!.noteCrash();
  const answering = setInterval(() => note(context, [0, 1, 2], 'right'), 20);
  expect(await awaitRecovery(context, STILL, ['tab crashed'], new SeededRandom(1))).toHaveLength(3);
  clearInterval(answering);
});

test('a tab that never recovers is given up', async () => {
  const context = await contextOf(() => ({}));
  const recoveries = await awaitRecovery(context, fastClock(), ['engine killed'], new SeededRandom(1));
  expect(recoveries.map(({ gaveUp }) => gaveUp)).toEqual([true, true, true]);
});

test.for([
  { cores: 0.1, requests: 0, isQuiet: true },
  { cores: 0.9, requests: 0, isQuiet: false },
  { cores: 0.1, requests: 1, isQuiet: false },
])(
  'a browser with $cores busy cores and $requests more requests at each look is quiet: $isQuiet',
  async ({ cores, requests, isQuiet }) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const clock = fastClock();
    let sent = 0;
    const measured = {
      cores,
      get now() {
        return isQuiet ? 0 : clock.now;
      },
    };
    const found = awaitQuiet(measured, () => Promise.resolve((sent += requests)));
    await vi.advanceTimersByTimeAsync(5000);
    expect((await found) === null).toBe(isQuiet);
  },
);
