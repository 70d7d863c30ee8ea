import { expect, onTestFinished, test, vi } from 'vitest';
import { POCKET } from './chaos-model.ts';
import { FaultSequence, isChosen } from './fault-sequence.ts';
import { contextOf } from './scripted-context.ts';
import { SeededRandom } from './seeded-random.ts';

test.for<[only: readonly string[], without: readonly string[], chosen: boolean]>([
  [[], [], true],
  [['tab closed', 'offline'], [], true],
  [['offline'], [], false],
  [[], ['tab closed'], false],
  [['tab closed'], ['tab closed'], false],
])('of only %j and without %j, "tab closed" is chosen: %s', ([only, without, chosen]) => {
  expect(isChosen('tab closed', { only, without })).toBe(chosen);
});

test('chosen faults are applied and recorded until the end of a round, with what the browser refused', async () => {
  const context = await contextOf((method) => (method === 'Page.reload' ? new Promise(() => {}) : {}));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const options = {
    only: ['tab reloaded', 'tab closed'],
    without: ['tab closed'],
    sharedWorker: true,
    model: POCKET,
    signal: new AbortController().signal,
  };
  const told: string[] = [];
  const reporting = { now: () => 7, tell: (sentence: string) => told.push(sentence) };
  const sequence = new FaultSequence(options, new SeededRandom(1), reporting);
  sequence.note('browser killed');
  const names: string[] = [];
  while (sequence.records.length < 5) {
    const applying = sequence.applyVolley(context, 5);
    const ended = new AbortController();
    void applying.finally(() => ended.abort());
    while (!ended.signal.aborted) await vi.advanceTimersByTimeAsync(5000);
    names.push(...(await applying));
  }
  expect(names).toEqual(Array.from({ length: 4 }, () => 'tab reloaded'));
  expect(sequence.records.map(({ name }) => name)).toEqual(['browser killed', ...names]);
  expect(sequence.records.at(-1)).toMatchObject({ problem: expect.stringContaining('Page.reload') });
  expect(context.harms.strikes).toHaveLength(4);
  expect(told).toHaveLength(4);
});
