import { expect } from '@playwright/test';
import { inPage } from '../../support/pages/in-page.ts';
import { test } from '../../support/pages/shared-site.ts';
import type * as decodeAhead from '../in-page/decode-ahead.ts';

for (const [from, to] of [
  [1, 50],
  [51, 100],
  [101, 150],
  [151, 200],
] as const) {
  test(`the seeds ${from} to ${to} give the same answers with the token on the GPU as on the CPU`, async ({ site }) => {
    test.slow();
    expect(await inPage<typeof decodeAhead>(site, 'decode-ahead').compareSeeds(from, to)).toEqual([]);
  });
}

test('after an answer that was sampled on the GPU, the prompt cache has the same tokens', async ({ site }) => {
  for (const [gpu, cpu] of await inPage<typeof decodeAhead>(site, 'decode-ahead').cachedTokens()) {
    expect(cpu).toBeGreaterThan(10);
    // The token that ended the answer may be in the cache, too.
    expect([cpu, cpu + 1]).toContain(gpu);
  }
});

test('no read of the GPU is awaited before the next step begins', async ({ site }) => {
  const inFlight = await inPage<typeof decodeAhead>(site, 'decode-ahead').stepsInFlight();
  expect(inFlight).toHaveLength(10);
  // Two steps can arrive together, before the page has begun a further one. Without steps ahead each would be alone.
  expect(inFlight.filter((steps) => steps === 2).length).toBeGreaterThan(5);
  expect(Math.max(...inFlight)).toBe(2);
});

const ROWS: readonly (readonly [size: number, logits: Readonly<Record<number, number>>, highest: number])[] = [
  [1, { 0: -3 }, 0],
  [300, { 299: 1 }, 299],
  [2048, { 5: 2, 1700: 2, 900: 1.9999999 }, 5],
  [49_152, { 49_151: 3.25, 40: 3.2499998, 0: -1 }, 49_151],
  [151_936, { 77_777: 0, 77_778: 0, 3: -0.5 }, 77_777],
  [500, { 7: Number.NaN, 8: Number.NEGATIVE_INFINITY, 444: -4 }, 444],
];

for (const [size, logits, highest] of ROWS) {
  test(`of ${size} logits the highest is token ${highest}`, async ({ site }) => {
    const page = inPage<typeof decodeAhead>(site, 'decode-ahead');
    expect(await page.argMax(size, logits, 0)).toBe(highest);
    expect(await page.argMax(size, logits, 128)).toBe(highest);
  });
}
