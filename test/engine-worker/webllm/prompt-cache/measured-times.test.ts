import { expect, test } from 'vitest';
import { MeasuredTimes } from '../../../../src/engine-worker/webllm/prompt-cache/measured-times.ts';

const measured = (...measurements: readonly (readonly [tokens: number, time: number])[]) => {
  const times = new MeasuredTimes();
  for (const [tokens, time] of measurements) times.add(tokens, time);
  return times;
};

test.each([
  ['nothing was measured', measured(), 100, null],
  ['one measurement', measured([50, 20]), 100, 40],
  ['the fastest of similar ones', measured([100, 900], [80, 40], [150, 300]), 100, 50],
  ['not a faster one of another size', measured([1000, 100], [100, 50]), 100, 50],
  ['the most similar one if none is similar', measured([1000, 100], [10, 5]), 100_000, 10_000],
])('a time is estimated by %s', (_sentence, times, tokens, expected) => {
  expect(times.estimate(tokens)).toBe(expected);
});

test('only the last eight measurements count', () => {
  const times = measured([100, 1]);
  for (let time = 0; time < 8; time++) times.add(100, 70);
  expect(times.estimate(100)).toBe(70);
});
