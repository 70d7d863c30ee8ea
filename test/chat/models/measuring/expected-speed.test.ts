import { expect, test } from 'vitest';
import { sampleModel } from '../../../gallery/samples/models.ts';
import { expectedSpeed, roundedSpeed } from '../../../../src/chat/models/measuring/expected-speed.ts';

const M3_MAX = {
  weightsPerSecond: 2.5e9,
  graphics: { bytesPerSecond: 3.9e11, secondsPerDispatch: 1.7e-5, runsGguf: true },
};

const llama = (parameters: number) =>
  sampleModel({ parameters, quantization: 'q4f16_1', downloadBytes: parameters * 0.6 });

test('the estimates come close to the published speeds of WebLLM on an M3 Max', () => {
  // The speeds in WebLLM's paper, arXiv:2412.15803.
  expect(expectedSpeed(llama(8.03e9), M3_MAX)).toBeCloseTo(41, -0.9);
  expect(expectedSpeed(llama(3.82e9), M3_MAX)).toBeCloseTo(71, -0.9);
});

test('the speed of a GGUF model depends on the CPU and its threads, that of another model on the GPU', () => {
  const gguf = sampleModel({ format: 'gguf', parameters: 5e8 });
  expect(expectedSpeed(gguf, { weightsPerSecond: 1e9, graphics: null }, 1)).toBeCloseTo(2.4);
  expect(expectedSpeed(gguf, { weightsPerSecond: 1e9, graphics: null }, 4)).toBeCloseTo(7.3, 1);
  expect(expectedSpeed(llama(1e9), { weightsPerSecond: 1e9, graphics: null })).toBeNull();
  expect(expectedSpeed(gguf, null)).toBeNull();
});

test('a GGUF model has the speed of the GPU if llama.cpp can use it', () => {
  const gguf = sampleModel({
    format: 'gguf',
    parameters: 8.03e9,
    quantization: 'Q4_K_M',
    downloadBytes: 8.03e9 * 0.56,
  });
  const onGraphics = expectedSpeed(gguf, M3_MAX)!;
  expect(onGraphics / expectedSpeed(llama(8.03e9), M3_MAX)!).toBeCloseTo(0.6, 1);
  const { graphics, weightsPerSecond } = M3_MAX;
  const without = { weightsPerSecond, graphics: { ...graphics, runsGguf: false } };
  expect(expectedSpeed(gguf, without, 4)).toBeLessThan(onGraphics / 10);
});

test('weights that a token does not need are ignored, and so is an unknown number of parameters', () => {
  const plain = sampleModel({ parameters: 2e9, downloadBytes: 1.2e9 });
  const withMore = { ...plain, downloadBytes: 2.9e9 };
  expect(expectedSpeed(withMore, M3_MAX)).toBe(expectedSpeed(plain, M3_MAX));
  const unknown = { ...plain, parameters: null, downloadBytes: 1.125e9 };
  expect(expectedSpeed(unknown, M3_MAX)).toBeCloseTo(expectedSpeed(plain, M3_MAX)!);
});

test.each([
  [0.3, 0],
  [0.6, 1],
  [7.4, 7],
  [12.4, 10],
  [13, 15],
  [28, 30],
  [34, 30],
  [96, 100],
  [140, 100],
  [160, 200],
])('%d tokens a second are rounded to %d', (speed, told) => {
  expect(roundedSpeed(speed)).toBe(told);
});
