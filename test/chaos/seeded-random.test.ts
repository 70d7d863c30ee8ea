import { expect, test } from 'vitest';
import { SeededRandom } from './seeded-random.ts';

const draws = (random: SeededRandom) => Array.from({ length: 5 }, () => random.integer(1, 1000));

test('a seed always gives the same random numbers, and another seed gives others', () => {
  expect(draws(new SeededRandom(5))).toEqual(draws(new SeededRandom(5)));
  expect(draws(new SeededRandom(5))).not.toEqual(draws(new SeededRandom(6)));
});

test('a forked generator depends on its name, not on the numbers that were drawn before', () => {
  const random = new SeededRandom(5);
  const before = draws(random.fork('a'));
  draws(random);
  expect(draws(random.fork('a'))).toEqual(before);
  expect(draws(random.fork('b'))).not.toEqual(before);
});

test('an item with more weight is picked more often, and one without weight never', () => {
  const random = new SeededRandom(5);
  const weights = { rare: 1, frequent: 3, never: 0 };
  const picked = Array.from({ length: 4000 }, () =>
    random.pick(['rare', 'never', 'frequent'] as const, (name) => weights[name]),
  );
  const share = (name: string) => picked.filter((other) => other === name).length / picked.length;
  expect(share('rare')).toBeCloseTo(0.25, 1);
  expect(share('frequent')).toBeCloseTo(0.75, 1);
  expect(share('never')).toBe(0);
});
