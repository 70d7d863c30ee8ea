import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isReplaced, whenUnused } from '../../src/engine-worker/when-unused.ts';
import {
  ENGINE_ABANDONED_PREFIX,
  ENGINE_LOCK_PREFIX,
  HUB_ENGINE_PREFIX,
  newEngineName,
} from '../../src/shared/locks/site-locks.ts';
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
function live(
  name: string,
  mode: LockMode = 'exclusive',
  prefix = ENGINE_LOCK_PREFIX,
): { lockName: string; end: () => void } {
  const lockName = prefix + name;
  const life = new AbortController();
  const ended = new Promise((resolve) => life.signal.addEventListener('abort', resolve));
  void locks.request(lockName, { mode }, () => ended);
  return { lockName, end: () => life.abort() };
}

function watch(lockName: string, isUsed = () => false, isIdle = () => true): { ended: boolean } {
  const state = { ended: false };
  void whenUnused(lockName, isUsed, isIdle).then(() => (state.ended = true));
  return state;
}

test.each([
  ['another engine of the same build', () => newEngineName('build')],
  ['an engine of a newer build', () => newEngineName('newer build')],
])('an unused engine ends if %s is alive', async (_, other) => {
  const left = watch(live(newEngineName('build')).lockName);
  live(other());
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(left.ended).toBe(true);
});

test('an engine that nobody awaits finishes its work before it ends', async () => {
  let isIdle = false;
  const left = watch(
    live(newEngineName('build')).lockName,
    () => false,
    () => isIdle,
  );
  live(newEngineName('newer build'));
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  expect(left.ended).toBe(false);
  isIdle = true;
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(left.ended).toBe(true);
});

test('an unused engine ends if a page of its site reaches the engine of a hub', async () => {
  const left = watch(live(newEngineName('build')).lockName);
  live('of the hub', 'exclusive', HUB_ENGINE_PREFIX);
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
  ['beside an engine whose lock is only watched', () => live(newEngineName('build'), 'shared')],
  ['beside the engine of a single tab', () => live(crypto.randomUUID())],
  ['beside an engine that has ended', () => live(newEngineName('build')).end()],
  [
    'beside an engine that does not respond',
    () => {
      const { lockName } = live(newEngineName('build'));
      live(lockName.replace(ENGINE_LOCK_PREFIX, ENGINE_ABANDONED_PREFIX), 'shared', '');
    },
  ],
])('an unused engine stays %s', async (_, surround) => {
  const idle = watch(live(newEngineName('build')).lockName);
  surround();
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  expect(idle.ended).toBe(false);
});

test('of two engines that pages use, the one whose name comes last ends when it has nothing to do', async () => {
  const locksOfBoth = [live(newEngineName('build')).lockName, live(newEngineName('build')).lockName].toSorted();
  let isIdle = false;
  const [first, last] = locksOfBoth.map((lockName) =>
    watch(
      lockName,
      () => true,
      () => isIdle,
    ),
  );
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  expect([first!.ended, last!.ended]).toEqual([false, false]);
  isIdle = true;
  await vi.advanceTimersByTimeAsync(2 * MINUTE);
  expect([first!.ended, last!.ended]).toEqual([false, true]);
});

test('of an engine that no page uses and one that pages use, only the unused one ends', async () => {
  const both = [live(newEngineName('build')), live(newEngineName('build'))].toSorted((one, other) =>
    one.lockName < other.lockName ? -1 : 1,
  );
  const [unused, used] = both.map(({ lockName, end }, index) => {
    const state = { ended: false };
    const ended = whenUnused(
      lockName,
      () => index === 1,
      () => true,
    );
    void ended.then(() => {
      state.ended = true;
      return end();
    });
    return state;
  });
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  expect([unused!.ended, used!.ended]).toEqual([true, false]);
});

test('an engine that is unused for a moment stays', async () => {
  let isUsed = true;
  const engine = watch(live(newEngineName('build')).lockName, () => isUsed);
  // Of its own build, one with an earlier name would end it because it has nothing to do.
  live(newEngineName('newer build'));
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

test.each<[what: string, replaced: boolean, surround: () => unknown]>([
  ['none', false, () => {}],
  ['one of the same build', true, () => live(newEngineName('build'))],
  ['one of another build', true, () => live(newEngineName('newer build'))],
  ['one of a single tab', true, () => live(crypto.randomUUID())],
  ['one whose lock is only watched', false, () => live(newEngineName('build'), 'shared')],
  ['one that has ended', false, () => live(newEngineName('build')).end()],
  [
    'one that does not respond',
    false,
    () => {
      const { lockName } = live(newEngineName('build'));
      live(lockName.replace(ENGINE_LOCK_PREFIX, ENGINE_ABANDONED_PREFIX), 'shared', '');
    },
  ],
])('an engine without pages is replaced by another engine, if that is %s: %s', async (_, replaced, surround) => {
  const { lockName } = live(newEngineName('build'));
  surround();
  await vi.advanceTimersByTimeAsync(0);
  expect(await isReplaced(lockName)).toBe(replaced);
});
