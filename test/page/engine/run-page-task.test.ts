import { afterEach, expect, test, vi } from 'vitest';
import { startWorkerInPage } from '../../../src/engine-worker/ports/start-worker-in-page.ts';
import { runPageTask } from '../../../src/page/engine/run-page-task.ts';
import { MemoryLocks } from '../../support/fakes/web-locks.ts';

afterEach(() => {
  vi.doUnmock('../../../src/page/engine/run-worker-for-engine.ts');
  vi.unstubAllGlobals();
});

test('a task whose script cannot be loaded fails at once, with the reason', async () => {
  vi.stubGlobal('navigator', { locks: new MemoryLocks() });
  vi.doMock('../../../src/page/engine/run-worker-for-engine.ts', () => ({
    get runWorkerForEngine() {
      throw new TypeError('Failed to fetch the script');
    },
  }));
  const { signal } = new AbortController();
  const started = startWorkerInPage(
    [(message) => void runPageTask(message, signal)],
    'https://site.test/worker.js',
    () => {},
  );
  await expect(started).rejects.toMatchObject({
    code: 'engine_unavailable',
    message: expect.stringContaining('Failed to fetch the script'),
  });
});
