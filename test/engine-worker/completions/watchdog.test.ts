import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Watchdog } from '../../../src/engine-worker/completions/watchdog.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function setUp() {
  const watchdog = new Watchdog();
  const expired = vi.fn<(error: unknown) => void>();
  watchdog.expired.addEventListener('abort', () => expired(watchdog.expired.reason));
  return { watchdog, expired };
}

test('the watchdog expires at the last deadline that was set, later or sooner than the one before', async () => {
  const { watchdog, expired } = setUp();
  watchdog.expect(1000);
  await vi.advanceTimersByTimeAsync(900);
  watchdog.expect(60_000);
  await vi.advanceTimersByTimeAsync(50_000);
  watchdog.expect(100);
  await vi.advanceTimersByTimeAsync(99);
  expect(expired).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(expired).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'engine_timeout' }));
});

test('a stopped watchdog does not expire', async () => {
  const { watchdog, expired } = setUp();
  watchdog.expect(1000);
  watchdog.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(expired).not.toHaveBeenCalled();
});

test('after the device slept the engine gets its time once more, and only once', async () => {
  const { watchdog, expired } = setUp();
  const clock = performance.now.bind(performance);
  let slept = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => clock() + slept);
  watchdog.expect(60_000);
  slept = 3_600_000;
  await vi.advanceTimersByTimeAsync(60_000);
  await vi.advanceTimersByTimeAsync(59_999);
  expect(expired).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(expired).toHaveBeenCalledOnce();
});
