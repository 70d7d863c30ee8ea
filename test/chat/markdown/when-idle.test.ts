import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { whenIdle } from '../../../src/chat/markdown/when-idle.ts';

const keyboard = new EventTarget();
vi.stubGlobal('addEventListener', keyboard.addEventListener.bind(keyboard));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a task that fails is reported and does not stop the others', () => {
  const reported = vi.fn<(error: unknown) => void>();
  vi.stubGlobal('reportError', reported);
  const done: string[] = [];
  whenIdle(() => done.push('first'));
  whenIdle(() => {
    throw new RangeError('Maximum call stack size exceeded');
  });
  vi.runAllTimers();
  whenIdle(() => done.push('later'));
  vi.runAllTimers();
  expect(done).toEqual(['first', 'later']);
  expect(reported).toHaveBeenCalledOnce();
});

test('few tasks run while the user types, and all run soon after', () => {
  let now = 1000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const pass = (milliseconds: number): void => {
    now += milliseconds;
    vi.advanceTimersByTime(milliseconds);
  };
  let done = 0;
  // Each task takes longer than a slice.
  for (let task = 0; task < 100; task += 1) {
    whenIdle(() => {
      done += 1;
      now += 10;
    });
  }
  pass(0);
  for (let letter = 0; letter < 10; letter += 1) {
    keyboard.dispatchEvent(new Event('keydown'));
    pass(100);
  }
  expect(done).toBeLessThan(10);
  vi.runAllTimers();
  expect(done).toBe(100);
});
