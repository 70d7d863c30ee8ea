import { expect, test } from 'vitest';
import {
  BudgetedCache,
  withBudget,
  withinBudget,
} from '../../../src/engine-worker/grammar/regular-language/step-budget.ts';
import { countSteps } from '../../../src/engine-worker/grammar/regular-language/step-limit.ts';

const MOST = 10_000_000;

/** Returns a cache and a function that gets from it what takes some steps to compute. */
function counting(steps: number) {
  const cache = new BudgetedCache<string>('test', () => 1);
  const computed: string[] = [];
  const get = (key: string) =>
    cache.get(key, MOST, () => {
      countSteps(steps);
      computed.push(key);
      return `made ${key}`;
    });
  return { get, computed };
}

test('a budget pays for what is computed until it is used up', () => {
  const { get } = counting(3_000_000);
  expect(withBudget(7_000_000, () => ['a', 'b', 'c'].map(get))).toEqual(['made a', 'made b', null]);
});

test('a budget treats the same computations alike, whatever is cached', () => {
  const { get, computed } = counting(3_000_000);
  const run = () => withBudget(7_000_000, () => ['a', 'b', 'c', 'a'].map(get));
  const first = run();
  expect(get('c')).toBe('made c');
  expect(run()).toEqual(first);
  expect(computed).toEqual(['a', 'b', 'c']);
});

test('a budget pays for the same result once', () => {
  const { get } = counting(3_000_000);
  expect(withBudget(7_000_000, () => ['a', 'a', 'a', 'b'].map(get))).not.toContain(null);
});

test('a budget that is used up allows what takes few steps', () => {
  const { get } = counting(3_000_000);
  const { get: getCheap } = counting(1000);
  expect(withBudget(1_000_000, () => [get('a'), getCheap('b')])).toEqual([null, 'made b']);
});

test('without a budget each computation has its own limit', () => {
  const { get } = counting(9_000_000);
  expect(['a', 'b', 'c'].map(get)).not.toContain(null);
  expect(counting(11_000_000).get('a')).toBeNull();
});

test('the steps of a part do not count for the computation around it, but for the budget', () => {
  const { get } = counting(3_000_000);
  const whole = () => withinBudget(1_000_000, () => get('a'));
  expect(withBudget(4_000_000, () => [whole(), get('b')])).toEqual([{ value: 'made a' }, null]);
});
