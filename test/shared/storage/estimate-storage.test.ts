import { afterEach, expect, test, vi } from 'vitest';
import { estimateStorage } from '../../../src/shared/storage/estimate-storage.ts';

const GIBIBYTE = 2 ** 30;

afterEach(() => vi.unstubAllGlobals());

const estimating = (estimate: () => Promise<StorageEstimate>) => ({ storage: { estimate } });

test.each([
  ['reports both', estimating(async () => ({ usage: 5, quota: 7 })), { usage: 5, quota: 7 }],
  ['reports nothing', estimating(async () => ({})), { usage: 0, quota: Infinity }],
  ['cannot estimate', { storage: {} }, { usage: 0, quota: Infinity }],
  ['has no storage manager', {}, { usage: 0, quota: Infinity }],
  [
    'denies storage',
    estimating(() => Promise.reject(new DOMException('Denied.', 'SecurityError'))),
    { usage: 0, quota: Infinity },
  ],
  [
    'throws',
    estimating(() => {
      throw new TypeError('Insecure.');
    }),
    { usage: 0, quota: Infinity },
  ],
  [
    'always names ten gibibytes more than are used',
    estimating(async () => ({ usage: 3_000_089, quota: 3_000_089 + 10 * GIBIBYTE })),
    { usage: 3_000_089, quota: Infinity },
  ],
  [
    'names the rounded size of a small disk instead of its room',
    estimating(async () => ({ usage: 12_345, quota: 12_345 + 4 * GIBIBYTE })),
    { usage: 12_345, quota: Infinity },
  ],
  [
    'has a quota of ten gibibytes of which some are used',
    estimating(async () => ({ usage: 3_000_089, quota: 10 * GIBIBYTE })),
    { usage: 3_000_089, quota: 10 * GIBIBYTE },
  ],
  [
    'has used up its quota',
    estimating(async () => ({ usage: GIBIBYTE, quota: GIBIBYTE })),
    { usage: GIBIBYTE, quota: GIBIBYTE },
  ],
])('a browser that %s has its room known or unlimited', async (_, navigator, expected) => {
  vi.stubGlobal('navigator', navigator);
  expect(await estimateStorage()).toEqual(expected);
});
