import { expect, test } from 'vitest';
import { compareDistributions, divergence, type Distribution } from './distribution.ts';
import { growingPrompts } from './growing-prompts.ts';

const distribution = (...probabilities: readonly number[]): Distribution => ({
  promptTokens: 1,
  top: probabilities
    .map((probability, token) => [token, Math.log(probability)] as const)
    .toSorted(([, a], [, b]) => b - a),
});

const EVEN = distribution(0.5, 0.5);
const SKEWED = distribution(0.25, 0.75);

test.each([
  ['a distribution from itself', SKEWED, SKEWED, 0],
  ['a skewed one from an even one', EVEN, SKEWED, 0.5 * Math.log(0.5 / 0.25) + 0.5 * Math.log(0.5 / 0.75)],
  ['an even one from a skewed one', SKEWED, EVEN, 0.25 * Math.log(0.25 / 0.5) + 0.75 * Math.log(0.75 / 0.5)],
  [
    'one with other tokens beside the candidates',
    distribution(0.6, 0.2),
    distribution(0.6, 0.1),
    0.2 * Math.log(0.2 / 0.1) + 0.2 * Math.log(0.2 / 0.3),
  ],
  [
    'one with another candidate',
    distribution(0.5, 0.3, 0.2),
    {
      promptTokens: 1,
      top: [
        [0, Math.log(0.5)],
        [3, Math.log(0.3)],
        [1, Math.log(0.2)],
      ],
    },
    0.3 * Math.log(0.3 / 0.2),
  ],
  [
    'one with fewer candidates',
    distribution(0.5, 0.3, 0.2),
    distribution(0.4, 0.3),
    0.5 * Math.log(0.5 / 0.4) + 0.2 * Math.log(0.2 / 0.3),
  ],
] as const)("the divergence of %s is the formula's", (_, reference, other, expected) => {
  expect(divergence(reference, other)).toBeCloseTo(expected, 10);
});

test('a comparison has the mean of the divergences, and counts other most probable tokens, without prompts that one side lacks', () => {
  const found = compareDistributions(
    [EVEN, null, EVEN, SKEWED, SKEWED, EVEN],
    [EVEN, SKEWED, SKEWED, SKEWED, distribution(0.75, 0.25), null],
  );
  expect(found).toMatchObject({ prompts: 4, changedTokens: 0.5 });
  const mean = (divergence(EVEN, SKEWED) + divergence(SKEWED, distribution(0.75, 0.25))) / 4;
  expect(found.meanDivergence).toBeCloseTo(mean, 10);
});

test('each text has eight prompts that grow, each the beginning of the next', () => {
  const texts = growingPrompts();
  expect(texts).toHaveLength(10);
  for (const { prompts } of texts) {
    expect(prompts).toHaveLength(8);
    const grows = prompts
      .slice(1)
      .map((longer, index) => longer !== prompts[index] && longer.startsWith(prompts[index]!));
    expect(grows).toEqual(Array.from({ length: 7 }, () => true));
  }
});
