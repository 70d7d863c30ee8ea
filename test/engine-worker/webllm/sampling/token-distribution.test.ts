import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { TokenDistribution } from '../../../../src/engine-worker/webllm/sampling/token-distribution.ts';
import { softmax } from '../../../pocket/support/reference-model.ts';
import { sampleTopP, sortDescending } from '../../../pocket/support/reference-sampling.ts';

/** Logits as models produce them: some equal, some forbidden, some far above the others. */
const logits = fc
  .array(
    fc.oneof(
      { weight: 5, arbitrary: fc.double({ min: -30, max: 30, noNaN: true }) },
      { weight: 2, arbitrary: fc.integer({ min: -2, max: 2 }) },
      { weight: 1, arbitrary: fc.constant(Number.NEGATIVE_INFINITY) },
    ),
    { minLength: 1, maxLength: 300 },
  )
  .filter((values) => values.some(Number.isFinite));

/** Returns the probabilities in the precision of the tested code. */
function probabilities(values: readonly number[], temperature: number): number[] {
  const highest = Math.max(...values.map(Math.fround));
  const weights = values.map((value) => Math.fround(Math.exp((Math.fround(value) - highest) / temperature)));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

test('property: the drawn token is the one that a full sort finds', () => {
  const topP = fc.constantFrom(1, 0.95, 0.5, 0.1, 1e-5);
  const uniform = fc.double({ min: 0, max: 0.999_999, noNaN: true });
  fc.assert(
    fc.property(logits, fc.constantFrom(0.3, 1, 2), topP, uniform, (values, temperature, topP, uniform) => {
      const distribution = new TokenDistribution(Float32Array.from(values), temperature);
      const drawn = distribution.sample(topP, uniform);
      const expected = probabilities(values, temperature);
      // If a sum of probabilities is within rounding of a limit, the neighbouring token is also correct.
      const near = [-1e-9, 0, 1e-9].flatMap((less) =>
        [-1e-9, 0, 1e-9].map((other) => sampleTopP(expected, topP + less, uniform + other)),
      );
      expect(near).toContain(drawn);
    }),
  );
});

test('property: of a large vocabulary with a flat distribution, the draws are those of a full sort', () => {
  const uniform = fc.double({ min: 0, max: 0.999_999, noNaN: true });
  const choice = fc.record({
    seed: fc.nat(),
    size: fc.integer({ min: 1, max: 20_000 }),
    spread: fc.constantFrom(0, 0.001, 0.3, 2, 8),
    steps: fc.constantFrom(2, 50, 2 ** 24),
    topP: fc.constantFrom(1, 0.999_999, 0.95, 0.5, 0.01),
    uniform,
  });
  fc.assert(
    fc.property(choice, ({ seed, size, spread, steps, topP, uniform }) => {
      const logits = Float32Array.from({ length: size }, (_, token) => {
        const noise = Math.abs(Math.sin((token + 1) * 12.9898 + (seed % 1000)) * 43_758.5453) % 1;
        return (Math.floor(noise * steps) / steps) * spread;
      });
      expect(new TokenDistribution(logits.slice(), 1).sample(topP, uniform)).toBe(sampleSorted(logits, topP, uniform));
    }),
    { numRuns: 200 },
  );
});

/** Samples by sorting all tokens and adding up their weights one by one. */
function sampleSorted(logits: Float32Array, topP: number, uniform: number): number {
  const highest = logits.reduce((most, logit) => Math.max(most, logit), Number.NEGATIVE_INFINITY);
  const exact = Array.from(logits, (logit) => Math.exp(logit - highest));
  const weights = Float32Array.from(exact);
  const total = exact.reduce((sum, weight) => sum + weight, 0);
  const ranked = [...weights.keys()].toSorted((a, b) => weights[b]! - weights[a]! || a - b);
  let mass = 0;
  let kept = 0;
  while (kept < ranked.length && mass < topP * total) mass += weights[ranked[kept++]!]!;
  let reached = 0;
  for (const token of ranked.slice(0, kept)) {
    reached += weights[token]!;
    if (reached > uniform * mass) return token;
  }
  return ranked[kept - 1]!;
}

test('property: the likeliest tokens are in order, equal ones by their ids', () => {
  fc.assert(
    fc.property(logits, fc.integer({ min: 1, max: 20 }), (values, count) => {
      const distribution = new TokenDistribution(Float32Array.from(values), 1);
      expect(distribution.mostLikely(count)).toEqual(sortDescending(probabilities(values, 1)).slice(0, count));
    }),
  );
});

test('property: the probabilities of all tokens are those of softmax', () => {
  fc.assert(
    fc.property(logits, (values) => {
      const distribution = new TokenDistribution(Float32Array.from(values), 1);
      for (const [token, probability] of softmax(values).entries())
        expect(Math.exp(distribution.logprob(token))).toBeCloseTo(probability, 5);
    }),
  );
});

test('of many equally likely tokens, each is drawn for its share of the random numbers', () => {
  const size = 1000;
  const draws = Array.from({ length: size }, (_, index) =>
    new TokenDistribution(new Float32Array(size), 1).sample(1, (index + 0.5) / size),
  );
  expect(draws).toEqual([...Array(size).keys()]);
});

test('the likeliest token is drawn if top_p keeps no other', () => {
  for (const uniform of [0, 0.5, 0.999_999]) {
    expect(new TokenDistribution(Float32Array.of(1, 3, 3, 2), 1).sample(1e-5, uniform)).toBe(1);
  }
});

test('a forbidden token is not drawn if rounded probabilities add up to less than the random number', () => {
  const logits = Float32Array.of(0, -2, -100, Number.NEGATIVE_INFINITY);
  expect(new TokenDistribution(logits, 1).sample(1, 0.999_999_999_999)).toBe(2);
});

test.each([
  ['that are NaN', [Number.NaN, Number.NaN]],
  ['with one NaN', [1, Number.NaN]],
  ['with one that is infinite', [1, Number.POSITIVE_INFINITY]],
  ['that allow no token', [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]],
])('logits %s are an error instead of an answer', (_name, logits) => {
  expect(() => new TokenDistribution(Float32Array.from(logits), 1)).toThrow('no token any probability');
});
