import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { adoptNewerWorker } from '../../../src/page/registration/adopt-newer-worker.ts';
import type { AskVersion } from '../../../src/page/registration/ask-version.ts';
import { PROTOCOL_VERSION, VERSION } from '../../../src/shared/messaging/messages.ts';
import { MemoryLocks } from '../../support/fakes/web-locks.ts';

const SCRIPT = 'https://site.test/tabserve-service-worker.js';
const { signal } = new AbortController();

class Worker extends EventTarget {
  readonly scriptURL = SCRIPT;
  readonly received: unknown[] = [];
  state: ServiceWorkerState;

  constructor(state: ServiceWorkerState) {
    super();
    this.state = state;
  }

  become(state: ServiceWorkerState): void {
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }

  postMessage(message: unknown): void {
    this.received.push(message);
    this.become('activated');
  }
}

/** An active worker and a newer one with other options, which are told at the `attempt`th question. */
function site(newer: Worker, attempt = 1) {
  const registration = { active: new Worker('activated'), installing: newer, waiting: newer };
  let asked = 0;
  const ask = (async (worker: unknown) => {
    const reply = { version: PROTOCOL_VERSION, release: VERSION };
    if (worker !== newer) return { ...reply, options: 'first' };
    return ++asked < attempt ? null : { ...reply, options: 'second' };
  }) as unknown as AskVersion;
  return adoptNewerWorker(registration as unknown as ServiceWorkerRegistration, ask, true, signal);
}

beforeEach(() => {
  vi.stubGlobal('navigator', { locks: new MemoryLocks() });
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test.each([
  [1, 'adopted'],
  [2, 'adopted'],
  [3, 'none'],
])('a newer service worker that tells its options at question %d is %s', async (attempt, outcome) => {
  expect(await site(new Worker('installed'), attempt)).toMatchObject({ outcome });
});

test('a newer service worker that is installed only after a long time takes over then', async () => {
  const newer = new Worker('installing');
  const adoption = site(newer);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await adoption).toMatchObject({ outcome: 'waits' });
  expect(newer.received).toEqual([]);
  newer.become('installed');
  await vi.advanceTimersByTimeAsync(10);
  expect(newer.received).toMatchObject([{ type: 'SKIP_WAITING' }]);
});

test('a newer service worker that the browser discards is not waited for', async () => {
  const newer = new Worker('installing');
  const adoption = site(newer);
  await vi.advanceTimersByTimeAsync(1000);
  newer.become('redundant');
  expect(await adoption).toEqual({ outcome: 'none' });
});
