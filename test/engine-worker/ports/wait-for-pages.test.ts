import { expect, onTestFinished, test, vi } from 'vitest';
import type { PostToPage } from '../../../src/engine-worker/ports/run-in-page.ts';
import { waitForPages } from '../../../src/engine-worker/ports/wait-for-pages.ts';

const PAGE: PostToPage = () => {};

test.for([
  { connects: 'was connected before', after: 0, found: 1, waited: 0 },
  { connects: 'is reloaded in three seconds', after: 3000, found: 1, waited: 3000 },
  { connects: 'never comes back', after: Infinity, found: 0, waited: 10_000 },
])('if the only page $connects, $found page is found after $waited ms', async ({ after, found, waited }) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const begun = Date.now();
  const waiting = waitForPages(() => (Date.now() - begun >= after ? [PAGE] : []));
  await vi.runAllTimersAsync();
  expect(await waiting).toHaveLength(found);
  expect(Date.now() - begun).toBe(waited);
});
