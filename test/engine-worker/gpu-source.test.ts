import { afterEach, expect, test, vi } from 'vitest';
import { GpuProbe } from '../../src/engine-worker/gpu-source.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A browser whose GPU adapter a test can add and remove. */
function browser() {
  const device = { destroy: vi.fn<() => void>() };
  const requestDevice = vi.fn<() => Promise<typeof device>>(async () => device);
  const adapter = { requestDevice, features: [], limits: {}, info: { description: 'scripted' } };
  const gpu = { requestAdapter: vi.fn<() => Promise<typeof adapter | null>>(async () => adapter) };
  vi.stubGlobal('navigator', { gpu });
  return { requestAdapter: gpu.requestAdapter, requestDevice, device };
}

test('a device is requested once, and destroyed', async () => {
  const { requestAdapter, device } = browser();
  const probe = new GpuProbe();
  const found = await Promise.all([probe.find(), probe.find()]);
  expect(found).toMatchObject([{ description: 'scripted' }, { description: 'scripted' }]);
  expect(requestAdapter).toHaveBeenCalledTimes(1);
  expect(device.destroy).toHaveBeenCalledTimes(1);
});

test('a worker that got no device requests one again on each call', async () => {
  const { requestAdapter } = browser();
  requestAdapter.mockResolvedValueOnce(null);
  const probe = new GpuProbe();
  expect(await probe.find()).toBeNull();
  expect(await probe.isGone()).toBe(false);
  expect(await probe.find()).toMatchObject({ description: 'scripted' });
});

test('a device counts as gone if there was one and none is available any more', async () => {
  const { requestAdapter } = browser();
  const probe = new GpuProbe();
  await probe.find();
  expect(await probe.isGone()).toBe(false);
  requestAdapter.mockResolvedValueOnce(null);
  expect(await probe.isGone()).toBe(true);
  expect(await probe.isGone()).toBe(false);
});

test.each(['requestAdapter', 'requestDevice'] as const)(
  'a browser whose %s() does not settle counts as one without a device, and is not asked again until it does',
  async (silent) => {
    vi.useFakeTimers();
    const there = browser();
    let settle!: (value: null) => void;
    const asked = new Promise<null>((resolve) => (settle = resolve));
    there[silent].mockReturnValueOnce(asked as never);
    const probe = new GpuProbe();
    const found = probe.find();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await Promise.race([found, Promise.resolve('pending')])).toBeNull();
    expect(await probe.find()).toBeNull();
    expect(there.requestAdapter).toHaveBeenCalledTimes(1);
    settle(null);
    await vi.advanceTimersByTimeAsync(0);
    expect(await probe.find()).toMatchObject({ description: 'scripted' });
  },
);
