import { expect, onTestFinished, test, vi } from 'vitest';
import { LEFT_BY_CLEARING } from '../judge/judge.ts';
import { contextOf } from '../scripted-context.ts';
import { SeededRandom } from '../seeded-random.ts';

const MINUTE = 60_000;

test.for<[what: string, resumes: boolean, clearedAfter: number, isLeft: boolean]>([
  ['during it', false, 1000, true],
  ['before it', false, -1000, false],
  ['during it, but tabserve.fetch has sent it', true, 1000, false],
])(
  'a request without a response is no longer waited for if the data were cleared %s: %o',
  async ([, resumes, clearedAfter, isLeft]) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { harms, tabs, traffic } = await contextOf((method, { expression }) => {
      if (method !== 'Runtime.evaluate') return {};
      return String(expression).includes('chaos.ask(') ? new Promise(() => {}) : { result: { value: null } };
    });
    harms.clearings.push(performance.now() + clearedAfter);
    const outcomes: string[] = [];
    const random = Object.assign(new SeededRandom(1), { chance: () => resumes });
    void traffic.question(tabs.open[0]!, random, {}, false).then(({ outcome }) => outcomes.push(outcome));
    await vi.advanceTimersByTimeAsync(5 * MINUTE);
    expect(outcomes).toEqual(isLeft ? [LEFT_BY_CLEARING] : []);
    traffic.abandon();
  },
);
