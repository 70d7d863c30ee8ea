import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DEVICE_POLLING } from '../../../../src/engine-worker/webllm/extensions/device-polling.ts';
import { applyExtension } from '../support/apply-extension.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A browser that polls its GPU every `every` milliseconds, and whenever work is submitted. */
function newBrowser(every: number) {
  const waits: { readonly over: number; settle(): void }[] = [];
  const submitted: (readonly unknown[])[] = [];
  /** Time at which the GPU completes the submitted work. */
  let busyUntil = 0;
  const ask = () => {
    for (const { over, settle } of waits) if (over <= performance.now()) settle();
  };
  setInterval(ask, every);
  const queue = {
    submit(commands: Iterable<unknown>): undefined {
      submitted.push([...commands]);
      ask();
    },
  };
  const context = {
    device: { queue },
    sync: () => new Promise<void>((settle) => void waits.push({ over: busyUntil, settle })),
  };
  return {
    pipeline: { tvm: { lib: { webGPUContext: context } } },
    submitted,
    /** Submits work of this length and waits for it. @returns the milliseconds until the completion was noticed. */
    async work(milliseconds: number) {
      const begun = performance.now();
      busyUntil = begun + milliseconds;
      const done = context.sync();
      const time = done.then(() => performance.now() - begun);
      await vi.advanceTimersByTimeAsync(10 * milliseconds + 200);
      return time;
    },
  };
}

async function extend(pipeline: object): Promise<void> {
  const done = applyExtension(pipeline, DEVICE_POLLING);
  await vi.advanceTimersByTimeAsync(1000);
  await done;
}

test('in a browser that polls the GPU rarely, a wait ends soon after the work', async () => {
  const { pipeline, work, submitted } = newBrowser(100);
  expect(await work(5)).toBeGreaterThan(50);
  await extend(pipeline);
  for (const time of [1, 5, 30, 90]) expect(await work(time)).toBeLessThanOrEqual(time * 1.1 + 2);
  expect(submitted.flat(), 'nothing is submitted that the device would have to do').toEqual([]);
});

test('the longer a wait takes, the more rarely the browser is prompted to poll', async () => {
  const { pipeline, work, submitted } = newBrowser(1e6);
  await extend(pipeline);
  submitted.length = 0;
  expect(await work(1000)).toBeLessThan(1100);
  expect(submitted.length).toBeLessThan(100);
});

test('without a pending wait, nothing is submitted', async () => {
  const { pipeline, work, submitted } = newBrowser(100);
  await extend(pipeline);
  await work(10);
  submitted.length = 0;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(submitted).toEqual([]);
});

test('the extension works even if the browser polls while the extension is tested', async () => {
  for (const moment of [1, 30, 60, 90, 99]) {
    const { pipeline, work } = newBrowser(100);
    await vi.advanceTimersByTimeAsync(moment);
    await extend(pipeline);
    expect(await work(5), `${moment} ms after it asked`).toBeLessThan(8);
  }
});

test('a browser that polls often is not prompted', async () => {
  const { pipeline, work, submitted } = newBrowser(1);
  await extend(pipeline);
  submitted.length = 0;
  expect(await work(50)).toBeLessThan(52);
  expect(submitted).toEqual([]);
});

test('a wait for a lost device is rejected, and the browser is no longer made to poll the GPU', async () => {
  const { pipeline, submitted } = newBrowser(100);
  const context = pipeline.tvm.lib.webGPUContext;
  const { sync } = context;
  let failing = false;
  context.sync = () => (failing ? Promise.reject(new Error('lost')) : sync());
  await extend(pipeline);
  submitted.length = 0;
  failing = true;
  await expect(context.sync()).rejects.toThrow('lost');
  await vi.advanceTimersByTimeAsync(1000);
  expect(submitted).toEqual([]);
});
