import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepServiceWorkerAlive } from '../../../src/page/registration/keep-service-worker-alive.ts';
import { ANSWER_LOCK } from '../../../src/shared/locks/site-locks.ts';
import { MemoryLocks } from '../../support/fakes/web-locks.ts';

const FIREFOX_PATIENCE = 30_000;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a service worker that answers gets more than one message from the page in 30 s, an idle one none', async () => {
  const locks = new MemoryLocks();
  const postMessage = vi.fn<(message: unknown) => void>();
  vi.stubGlobal('navigator', { locks, serviceWorker: { controller: { postMessage } } });
  const page = new AbortController();
  keepServiceWorkerAlive(page.signal);
  await vi.advanceTimersByTimeAsync(FIREFOX_PATIENCE);
  expect(postMessage).not.toHaveBeenCalled();
  const answered = new AbortController();
  void locks.request(
    ANSWER_LOCK,
    { mode: 'shared' },
    () => new Promise<void>((resolve) => answered.signal.addEventListener('abort', () => resolve())),
  );
  await vi.advanceTimersByTimeAsync(FIREFOX_PATIENCE);
  expect(postMessage.mock.calls.length).toBeGreaterThan(1);
  answered.abort();
  await vi.advanceTimersByTimeAsync(0);
  postMessage.mockClear();
  await vi.advanceTimersByTimeAsync(FIREFOX_PATIENCE);
  expect(postMessage).not.toHaveBeenCalled();
});
