import type { DownloadEnvironment } from './download-environment.ts';

/** The world of a worker in a browser. */
export const BROWSER_ENVIRONMENT: DownloadEnvironment = {
  fetch: (input, init) => fetch(input, init),
  get caches() {
    return caches;
  },
  async estimate() {
    const { usage, quota } = await navigator.storage.estimate();
    return { usage: usage ?? 0, quota: quota ?? Number.POSITIVE_INFINITY };
  },
  exclusively: (name, work) =>
    navigator.locks.request(name, { ifAvailable: true }, (lock) => (lock === null ? null : work())),
  now: () => performance.now(),
  wait(milliseconds, signal) {
    return new Promise((resolve, reject) => {
      const settle = (end: () => void) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        removeEventListener('online', finish);
        end();
      };
      const finish = () => settle(resolve);
      const abort = () => settle(() => reject(signal.reason as Error));
      const timer = setTimeout(finish, milliseconds);
      signal.addEventListener('abort', abort);
      // The network is back: no reason to sit out the rest of the pause.
      addEventListener('online', finish);
      if (signal.aborted) abort();
    });
  },
};
