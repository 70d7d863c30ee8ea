import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  checkGpuOnce,
  type CheckedModel,
  type GpuCheckRecords,
} from '../../../src/engine-worker/llama-cpp/check-gpu-once.ts';
import { memoryGpuChecks } from '../../support/fakes/memory-gpu-checks.ts';

const DAY = 24 * 3_600_000;

let records: GpuCheckRecords;
let check: ReturnType<typeof vi.fn<() => Promise<boolean>>>;

const model = (changes: Partial<CheckedModel> = {}): CheckedModel => ({
  id: 'small',
  bytes: 1000,
  gpu: 'nvidia hopper',
  llamaCpp: 'https://site.test/llama-cpp-1/',
  ...changes,
});

beforeEach(() => {
  records = memoryGpuChecks();
  vi.stubGlobal('navigator', { userAgent: 'Chrome/156' });
  check = vi.fn<() => Promise<boolean>>(async () => true);
  vi.useFakeTimers({ toFake: ['Date'] });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const run = (changes?: Partial<CheckedModel>) => checkGpuOnce(model(changes), records, check);

test('a model that was computed correctly is not checked again', async () => {
  expect(await run()).toBe(true);
  expect(await run()).toBe(true);
  expect(check).toHaveBeenCalledOnce();
});

test.each([
  ['on another graphics device', async () => run({ gpu: 'amd rdna-3' })],
  ['with another llama.cpp', async () => run({ llamaCpp: 'https://site.test/llama-cpp-2/' })],
  ['if its file was replaced', async () => run({ bytes: 1001 })],
  [
    'in another version of the browser',
    async () => {
      vi.stubGlobal('navigator', { userAgent: 'Chrome/999' });
      return run();
    },
  ],
  [
    'after a week',
    async () => {
      vi.setSystemTime(Date.now() + 7 * DAY);
      return run();
    },
  ],
  [
    'if the clock was set back',
    async () => {
      vi.setSystemTime(Date.now() - DAY);
      return run();
    },
  ],
  [
    'if the record was deleted',
    async () => {
      await records.delete('small');
      return run();
    },
  ],
  ['under another id', async () => run({ id: 'other' })],
])('a model that was computed correctly is checked again %s', async (_when, again) => {
  await run();
  await again();
  expect(check).toHaveBeenCalledTimes(2);
});

test('a model is not checked again within six days', async () => {
  await run();
  vi.setSystemTime(Date.now() + 6 * DAY);
  await run();
  expect(check).toHaveBeenCalledOnce();
});

test('a wrong result is not remembered', async () => {
  check.mockResolvedValueOnce(false);
  expect(await run()).toBe(false);
  expect(await run()).toBe(true);
  expect(check).toHaveBeenCalledTimes(2);
});

test('an interrupted check is not remembered', async () => {
  check.mockRejectedValueOnce(new Error('the page was closed'));
  await expect(run()).rejects.toThrow('the page was closed');
  expect(await run()).toBe(true);
  expect(check).toHaveBeenCalledTimes(2);
});

const fail = () => Promise.reject(new Error('no database'));

test('without a database the check runs at each load', async () => {
  records = { get: fail, put: fail, delete: fail };
  expect([await run(), await run()]).toEqual([true, true]);
  expect(check).toHaveBeenCalledTimes(2);
});
