import { expect, test, vi } from 'vitest';
import { withAbort, sleep, withTimeout } from '../../src/shared/timeout.ts';

const never = new Promise<never>(() => {});

test('sleep ends early with the reason of its signal', async () => {
  const controller = new AbortController();
  const sleeping = sleep(1e9, controller.signal);
  controller.abort('enough');
  await expect(sleeping).rejects.toBe('enough');
  await expect(sleep(1e9, controller.signal)).rejects.toBe('enough');
});

test('a finished sleep ignores its signal', async () => {
  const controller = new AbortController();
  await expect(sleep(0, controller.signal)).resolves.toBeUndefined();
  controller.abort();
});

test("withTimeout gives the promise's value in time, else the fallback", async () => {
  expect(await withTimeout(1e9, Promise.resolve('value'), null)).toBe('value');
  expect(await withTimeout(0, never, null)).toBe(null);
  await expect(withTimeout(1e9, Promise.reject(new Error('broken')), null)).rejects.toThrow('broken');
});

test('withTimeout leaves no timer behind', async () => {
  vi.useFakeTimers();
  try {
    await withTimeout(1e9, Promise.resolve('value'), null);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('withAbort rejects when its signal aborts or has aborted', async () => {
  const controller = new AbortController();
  expect(await withAbort(Promise.resolve('value'), controller.signal)).toBe('value');
  const waiting = withAbort(never, controller.signal);
  controller.abort('left');
  await expect(waiting).rejects.toBe('left');
  await expect(withAbort(Promise.resolve('value'), controller.signal)).rejects.toBe('left');
});
