import { expect, test, type Harness } from './support/pocket-test.ts';
import { largestDifference } from './support/largest-difference.ts';
import { randomNumbers } from './support/random-model.ts';
import { softmax } from './support/reference-model.ts';
import { applyPenalties, sampleTopP, sortDescending } from './support/reference-sampling.ts';
import { TINY_SHAPE } from './support/tiny-shape.ts';

const SIZE = TINY_SHAPE.vocabulary;

function randomLogits(seed: number, spread = 8): number[] {
  const random = randomNumbers(seed);
  return Array.from({ length: SIZE }, () => Math.fround(spread * (random() - 0.5)));
}

/** Calls a function that changes logits in place, with these other tensors. @returns the changed logits. */
async function applyInPlace(
  harness: Harness,
  name: string,
  logits: number[],
  others: { data: number[]; shape: number[]; dtype: 'float32' | 'int32' }[],
): Promise<number[]> {
  return harness.evaluate(
    (h, { name, logits, others }) =>
      h.withLibrary(name, async (apply) => {
        const tensor = h.toGpu(logits, [1, logits.length], 'float32');
        apply(tensor, ...others.map(({ data, shape, dtype }) => h.toGpu(data, shape, dtype)));
        return [...(await h.read(tensor))];
      }),
    { name, logits, others },
  );
}

const int = (...data: number[]) => ({ data, shape: [data.length], dtype: 'int32' as const });

test('softmax_with_temperature agrees with a reference', async ({ load, tiny }) => {
  const harness = await load((await tiny(8)).name);
  const logits = randomLogits(1);
  for (const temperature of [1e-6, 0.3, 1, 2]) {
    const computed = await harness.evaluate(
      (h, { logits, temperature }) =>
        h.withLibrary('softmax_with_temperature', async (softmax) => [
          ...(await h.read(
            softmax(h.toGpu(logits, [1, 1, logits.length], 'float32'), h.toGpu([temperature], [1], 'float32')) as never,
          )),
        ]),
      { logits, temperature },
    );
    const expected = softmax(logits.map((logit) => logit / temperature));
    expect(largestDifference(computed, expected)).toBeLessThan(1e-5);
  }
});

test('argsort_probs agrees with a reference, with ties in the order of their tokens', async ({ load, tiny }) => {
  const harness = await load((await tiny(8)).name);
  const probabilities = softmax(randomLogits(2)).map(Math.fround);
  probabilities[7] = probabilities[200] = probabilities[3]!;
  const computed = await harness.evaluate(
    (h, probabilities) =>
      h.withLibrary('argsort_probs', async (argsort) => {
        const pair = argsort(h.toGpu(probabilities, [1, probabilities.length], 'float32')) as never;
        const [sorted, tokens] = h.items(pair);
        return { sorted: [...(await h.read(sorted!))], tokens: [...(await h.read(tokens!, 'int32'))] };
      }),
    probabilities,
  );
  const tokens = sortDescending(probabilities);
  expect(computed.tokens).toEqual(tokens);
  expect(computed.sorted).toEqual(tokens.map((token) => probabilities[token]));
});

test('sample_with_top_p agrees with a reference on the output of argsort_probs', async ({ load, tiny }) => {
  const harness = await load((await tiny(8)).name);
  const random = randomNumbers(3);
  const cases = [...Array(60).keys()].map((seed) => ({
    probabilities: softmax(randomLogits(seed, [2, 12, 60][seed % 3])).map(Math.fround),
    topP: [1, 0.95, 0.5, 1e-5][seed % 4]!,
    uniform: random(),
  }));
  // Adds two extremes: all probabilities equal, and one token with probability 1.
  cases.push({ probabilities: Array(SIZE).fill(Math.fround(1 / SIZE)), topP: 0.51, uniform: 0.61 });
  cases.push({ probabilities: Array(SIZE).fill(0).with(17, 1), topP: 1, uniform: 0.999999 });
  const computed = await harness.evaluate(async (h, cases) => {
    const tokens: number[] = [];
    for (const { probabilities, topP, uniform } of cases) {
      tokens.push(await h.sampleTopP(probabilities, topP, uniform));
    }
    return tokens;
  }, cases);
  const expected = cases.map(({ probabilities, topP, uniform }) => sampleTopP(probabilities, topP, uniform));
  expect(computed).toEqual(expected);
});

test('apply_penalty_inplace agrees with a reference', async ({ load, tiny }) => {
  const harness = await load((await tiny(8)).name);
  const logits = randomLogits(4);
  const tokens = [3, 50, 323, 100];
  const counts = [1, 4, 2, 9];
  const computed = await applyInPlace(harness, 'apply_penalty_inplace', logits, [
    int(0),
    int(0, 0, 0, 0),
    int(...tokens),
    int(...counts),
    { data: [0.5, 0.25, 1.3], shape: [1, 3], dtype: 'float32' },
  ]);
  const expected = applyPenalties(logits, tokens, counts, 0.5, 0.25, 1.3);
  expect(largestDifference(computed, expected)).toBeLessThan(1e-5);
});

test('apply_logit_bias_inplace agrees with a reference', async ({ load, tiny }) => {
  const harness = await load((await tiny(8)).name);
  const logits = randomLogits(5);
  const computed = await applyInPlace(harness, 'apply_logit_bias_inplace', logits, [
    int(0, 0),
    int(9, 310),
    { data: [-100, 2.5], shape: [2], dtype: 'float32' },
  ]);
  const expected = logits.with(9, logits[9]! - 100).with(310, logits[310]! + 2.5);
  expect(largestDifference(computed, expected)).toBeLessThan(1e-5);
});

test('apply_bitmask_inplace agrees with a reference', async ({ load, tiny }) => {
  const harness = await load((await tiny(8)).name);
  const logits = randomLogits(6);
  const allowed = new Set([0, 31, 32, 65, 323]);
  const words = Array.from({ length: Math.ceil(SIZE / 32) }, (_, word) => {
    let bits = 0;
    for (let bit = 0; bit < 32; bit++) if (allowed.has(32 * word + bit)) bits |= 1 << bit;
    return bits;
  });
  const computed = await applyInPlace(harness, 'apply_bitmask_inplace', logits, [
    int(0),
    { data: words, shape: [1, words.length], dtype: 'int32' },
  ]);
  for (const [token, logit] of computed.entries()) {
    if (allowed.has(token)) expect(logit).toBe(logits[token]);
    else expect(logit).toBeLessThan(-1e38);
  }
});

test('sampling on the CPU agrees with the references of the GPU kernels', async ({ load, tiny }) => {
  const harness = await load((await tiny(8)).name);
  const logits = randomLogits(7);
  const computed = await harness.evaluate((h, logits) => h.cpuSampling(logits), logits);
  const probabilities = softmax(logits.map((logit) => logit / 0.7));
  expect(largestDifference(computed.softmax, probabilities)).toBeLessThan(1e-6);
  const samples = computed.uniforms.map((uniform) => sampleTopP(probabilities, 0.9, uniform));
  expect(computed.fromLogits).toEqual(samples);
  expect(computed.fromProbabilities).toEqual(samples);
  const repeated = applyPenalties(logits, [5, 80], [0, 0], 0, 0, 1.5);
  expect(largestDifference(computed.repetition, repeated)).toBeLessThan(1e-5);
  const counted = applyPenalties(logits, [5, 80], [2, 3], 0.4, 0.2, 1);
  expect(largestDifference(computed.counts, counted)).toBeLessThan(1e-5);
});
