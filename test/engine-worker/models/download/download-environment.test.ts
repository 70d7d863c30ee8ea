import { afterEach, expect, test, vi } from 'vitest';
import { BROWSER_ENVIRONMENT } from '../../../../src/engine-worker/models/download/download-environment.ts';

afterEach(() => vi.unstubAllGlobals());

test.each([
  ['reports both', { storage: { estimate: async () => ({ usage: 5, quota: 7 }) } }, { usage: 5, quota: 7 }],
  ['reports nothing', { storage: { estimate: async () => ({}) } }, { usage: 0, quota: Infinity }],
  ['cannot estimate', { storage: {} }, { usage: 0, quota: Infinity }],
  ['has no storage manager', {}, { usage: 0, quota: Infinity }],
])('a browser that %s has its room for models known or unlimited', async (_, navigator, expected) => {
  vi.stubGlobal('navigator', navigator);
  expect(await BROWSER_ENVIRONMENT.estimate()).toEqual(expected);
});
