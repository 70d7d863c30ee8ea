import { array, assert, double, integer, property, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { addSimilarities, quantise } from '../../../../src/engine-worker/documents/search/quantise.ts';

const dot = (one: Float32Array, other: Float32Array) => one.reduce((sum, value, at) => sum + value * other[at]!, 0);

const unit = (numbers: readonly number[]) => {
  const length = Math.hypot(...numbers);
  return Float32Array.from(numbers, (value) => (length === 0 ? 0 : value / length));
};

const vectors = integer({ min: 1, max: 40 }).chain((dimensions) => {
  const vector = array(double({ min: -1, max: 1, noNaN: true }), { minLength: dimensions, maxLength: dimensions });
  return tuple(vector.map(unit), array(vector.map(unit), { minLength: 1, maxLength: 5 }));
});

test('the similarity of vectors in 8 bits is near that of the originals', () => {
  assert(
    property(vectors, ([query, stored]) => {
      const out = new Float32Array(stored.length + 1);
      addSimilarities(quantise([query]), quantise(stored), out, 1);
      for (const [index, vector] of stored.entries()) {
        expect(Math.abs(out[index + 1]! - dot(query, vector))).toBeLessThan(0.06);
      }
      expect(out[0]).toBe(0);
    }),
    { seed: 66, numRuns: 300 },
  );
});

test('no vectors and vectors of zeros have no likeness', () => {
  expect(quantise([])).toEqual({ dimensions: 0, vectors: new Int8Array(), scales: new Float32Array() });
  const out = Float32Array.of(1);
  addSimilarities(quantise([Float32Array.of(1, 0)]), quantise([new Float32Array(2)]), out, 0);
  expect(out[0]).toBe(0);
});
