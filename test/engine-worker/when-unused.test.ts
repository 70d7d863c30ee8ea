import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { whenUnused } from '../../src/engine-worker/when-unused.ts';
import { ENGINE_LOCK_PREFIX, newEngineName } from '../../src/shared/locks/site-locks.ts';
import { MemoryLocks } from '../support/fakes/web-locks.ts';

const MINUTE = 60_000;

let locks: MemoryLocks;

beforeEach(() => {
  locks = new MemoryLocks();
  vi.stubGlobal('navigator', { locks });
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Simulates a live engine of a build. @returns the name of its lock, and a function that ends it. */
function live(name: string, mode: LockMode = 'exclusive'): { lockName: string; end: () => void } {
  const lockName = ENGINE_LOCK_PREFIX + name;
  const life = new AbortController();
  const ended = new Promise((resolve) => life.signal.addEventListener('abort', resolve));
  void locks.request(lockName, { mode }, () => ended);
  return { lockName, end: () => life.abort() };
}

function watch(lockName: string, isUsed = () => false): { ended: boolean } {
  const state = { ended: false };
  void whenUnused(lockName, isUsed).then(() => (state.ended = true));
  return state;
}

test('an unused engine ends if another engine of the same build is alive', async () => {
  const left = watch(live(newEngineName('build')).lockName);
  live(newEngineName('build'));
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(left.ended).toBe(true);
});

test('a used engine stays, and ends once it is unused', async () => {
  let isUsed = true;
  const used = watch(live(newEngineName('build')).lockName, () => isUsed);
  live(newEngineName('build'));
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(used.ended).toBe(false);
  isUsed = false;
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(used.ended).toBe(true);
});

test.each([
  ['by itself', () => {}],
  ['beside an engine of another build', () => live(newEngineName('other build'))],
  ['beside an engine whose lock is only watched', () => live(newEngineName('build'), 'shared')],
  ['beside the engine of a single tab', () => live(crypto.randomUUID())],
  ['beside an engine that has ended', () => live(newEngineName('build')).end()],
])('an unused engine stays %s', async (_, surround) => {
  const idle = watch(live(newEngineName('build')).lockName);
  surround();
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  expect(idle.ended).toBe(false);
});

test('an engine that is unused for a moment stays', async () => {
  let isUsed = true;
  const engine = watch(live(newEngineName('build')).lockName, () => isUsed);
  live(newEngineName('build'));
  for (let second = 0; second < 120; second++) {
    isUsed = second % 30 < 10 || second % 30 > 20;
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(engine.ended).toBe(false);
});

test('the engine of one tab ends with its tab, not before', async () => {
  const dedicated = watch(live(crypto.randomUUID()).lockName);
  live(newEngineName('build'));
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  expect(dedicated.ended).toBe(false);
});
