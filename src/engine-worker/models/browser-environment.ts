import { sleep } from '../../shared/timing.ts';
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
  async wait(milliseconds, signal) {
    const online = new AbortController();
    const end = () => online.abort();
    // The network is back: no reason to sit out the rest of the pause.
    addEventListener('online', end);
    await sleep(milliseconds, AbortSignal.any([signal, online.signal])).catch(() => {});
    removeEventListener('online', end);
    signal.throwIfAborted();
  },
};
