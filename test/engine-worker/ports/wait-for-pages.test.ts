import { expect, onTestFinished, test, vi } from 'vitest';
import type { PostToPage } from '../../../src/engine-worker/ports/run-in-page.ts';
import { waitForPages } from '../../../src/engine-worker/ports/wait-for-pages.ts';

const PAGE: PostToPage = () => {};

test.for([
  { page: 'is connected', left: 0, after: 0, found: 1, waited: 0 },
  { page: 'is reloaded in three seconds', left: 0, after: 3000, found: 1, waited: 3000 },
  { page: 'does not come back', left: 0, after: Infinity, found: 0, waited: 10_000 },
  { page: 'left eight seconds ago and does not come back', left: -8000, after: Infinity, found: 0, waited: 2000 },
  { page: 'left long ago', left: -60_000, after: Infinity, found: 0, waited: 0 },
])('if the last page $page, $found page is found after $waited ms', async ({ left, after, found, waited }) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const begun = performance.now();
  const waiting = waitForPages({
    get pages() {
      return performance.now() - begun >= after ? [PAGE] : [];
    },
    lastPageLeft: begun + left,
  });
  await vi.runAllTimersAsync();
  expect(await waiting).toHaveLength(found);
  expect(performance.now() - begun).toBe(waited);
});
