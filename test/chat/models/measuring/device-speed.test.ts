import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  isSettled,
  knownSpeed,
  measureSpeed,
  rememberSpeed,
} from '../../../../src/chat/models/measuring/device-speed.ts';
import type { DeviceSpeed } from '../../../../src/chat/models/measuring/speed-worker.ts';

const SPEED: DeviceSpeed = {
  weightsPerSecond: 1e9,
  graphics: { bytesPerSecond: 1e10, secondsPerDispatch: 1e-5, runsGguf: false },
};

/** A worker that answers when the test says so. */
class FakeWorker extends EventTarget {
  static newest: FakeWorker;
  requests: unknown[] = [];
  isTerminated = false;

  constructor() {
    super();
    FakeWorker.newest = this;
  }

  postMessage(request: unknown): void {
    this.requests.push(request);
  }

  terminate(): void {
    this.isTerminated = true;
  }
}

const stored = new Map<string, string>();

beforeEach(() => {
  stored.clear();
  vi.stubGlobal('Worker', FakeWorker);
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
  });
});
afterEach(() => vi.unstubAllGlobals());

test('a measurement is stored for the GPU that was measured', () => {
  expect(knownSpeed(null)).toBeNull();
  rememberSpeed('apple metal-3', SPEED);
  expect(knownSpeed('apple metal-3')).toEqual(SPEED);
  expect(knownSpeed(null)).toEqual(SPEED);
  expect(knownSpeed('nvidia ampere')).toBeNull();
});

test('the fastest of several measurements counts, and two that agree need no third', () => {
  const busy: DeviceSpeed = { weightsPerSecond: 2e8, graphics: { ...SPEED.graphics!, bytesPerSecond: 2e9 } };
  rememberSpeed('apple metal-3', busy);
  expect(isSettled()).toBe(false);
  rememberSpeed('apple metal-3', SPEED);
  expect(isSettled()).toBe(false);
  expect(knownSpeed('apple metal-3')).toEqual(SPEED);
  rememberSpeed('apple metal-3', busy);
  expect(knownSpeed('apple metal-3')).toEqual(SPEED);
  expect(isSettled()).toBe(false);
  rememberSpeed('apple metal-3', { ...SPEED, weightsPerSecond: 0.95e9 });
  expect(knownSpeed('apple metal-3')).toEqual(SPEED);
  expect(isSettled()).toBe(true);
  // Another GPU is another device.
  rememberSpeed('nvidia ampere', busy);
  expect(knownSpeed(null)).toEqual(busy);
  expect(isSettled()).toBe(false);
});

test('a measurement that must not be stored is used until the next one', () => {
  rememberSpeed('apple metal-3', SPEED, false);
  expect(knownSpeed('apple metal-3')).toEqual(SPEED);
  expect(stored.size).toBe(0);
  rememberSpeed('nvidia ampere', SPEED);
  expect(knownSpeed('apple metal-3')).toBeNull();
  expect(knownSpeed('nvidia ampere')).toEqual(SPEED);
  expect(stored.size).toBe(1);
});

test('a damaged stored measurement is ignored', () => {
  for (const value of ['', '{', '17', '"x"']) {
    stored.set('tabserve-device-speed', value);
    expect(knownSpeed('')).toBeNull();
    expect(knownSpeed(null)).toBeNull();
  }
});

test('the speed is measured in a worker, which is then terminated', async () => {
  const measured = measureSpeed({ graphics: true }, new AbortController().signal);
  FakeWorker.newest.dispatchEvent(new MessageEvent('message', { data: SPEED }));
  expect(await measured).toEqual(SPEED);
  expect(FakeWorker.newest.requests).toEqual([{ graphics: true }]);
  expect(FakeWorker.newest.isTerminated).toBe(true);
});

test('a measurement that is aborted, or whose worker fails, returns no speed', async () => {
  const answer = new AbortController();
  const aborted = measureSpeed({ graphics: false }, answer.signal);
  answer.abort();
  expect(await aborted).toBeNull();
  expect(FakeWorker.newest.isTerminated).toBe(true);

  const failed = measureSpeed({ graphics: false }, new AbortController().signal);
  FakeWorker.newest.dispatchEvent(new Event('error'));
  expect(await failed).toBeNull();
  expect(FakeWorker.newest.isTerminated).toBe(true);
});
