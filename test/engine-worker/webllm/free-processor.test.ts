import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { freeProcessor } from '../../../src/engine-worker/webllm/free-processor.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Takes the milliseconds since the last pause, and gives those of the next one. */
function newPause() {
  const pause = freeProcessor({ adapterInfo: { isFallbackAdapter: true } as GPUAdapterInfo })!;
  return async (time: number) => {
    await vi.advanceTimersByTimeAsync(time);
    const begun = performance.now();
    const paused = pause().then(() => performance.now() - begun);
    await vi.runAllTimersAsync();
    return paused;
  };
}

/** As where a system's timers are coarse. */
function delayTimers(late: number) {
  const start = setTimeout;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((end: () => void, time: number) =>
    start(end, time + late)) as typeof setTimeout);
}

test('there is a pause for each token that takes long enough, the first one too', async () => {
  const pause = newPause();
  const pauses: number[] = [];
  for (const time of [0, 10, 6, 3, 2, 6]) pauses.push(await pause(time));
  expect(pauses).toEqual([1, 1, 1, 0, 0, 1]);
});

test('where a timer takes half as long as a token, a hundred tokens have none', async () => {
  const pause = newPause();
  expect(await pause(10)).toBe(1);
  delayTimers(15);
  expect(await pause(10)).toBe(16);
  for (let token = 0; token < 100; token++) expect(await pause(10)).toBe(0);
  expect(await pause(10)).toBe(16);
  expect(await pause(40)).toBe(0);
});

test('a timer that takes less than that is no reason to have none', async () => {
  const pause = newPause();
  delayTimers(15);
  for (let token = 0; token < 5; token++) expect(await pause(40)).toBe(16);
});

test.each<[string, Parameters<typeof freeProcessor>[0]]>([
  ['is a graphics card', { adapterInfo: { isFallbackAdapter: false } as GPUAdapterInfo }],
  ['does not say what it is', {}],
  ['is kept elsewhere', undefined],
])('there is none for a device that %s', (_name, device) => {
  expect(freeProcessor(device)).toBeNull();
});
