import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchStorage } from '../../../src/page/status/watch-storage.ts';
import { openSiteDatabase } from '../../../src/shared/storage/site-database.ts';

vi.mock('../../../src/shared/storage/site-database.ts', () => ({ openSiteDatabase: vi.fn<() => Promise<unknown>>() }));

const open = vi.mocked(openSiteDatabase) as unknown as ReturnType<typeof vi.fn<() => Promise<unknown>>>;
const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
let page: AbortController;
let told: boolean[];

beforeEach(() => {
  vi.useFakeTimers();
  logged.mockClear();
  open.mockReset();
  page = new AbortController();
  told = [];
});

afterEach(() => {
  page.abort();
  vi.useRealTimers();
});

const watch = () => watchStorage((keepsNothing) => told.push(keepsNothing), page.signal);

test('a database that opens late is neither reported nor logged', async () => {
  open.mockRejectedValueOnce(new Error('It is slow.')).mockResolvedValue({});
  watch();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(open.mock.calls.length).toBeGreaterThan(2);
  expect([told, logged.mock.calls]).toEqual([[], []]);
});

test('a database that stays closed is reported and logged once, and reported again when it opens', async () => {
  open.mockRejectedValue(new Error('It is full.'));
  watch();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(told).toEqual([true]);
  expect(logged).toHaveBeenCalledTimes(1);
  expect(logged.mock.calls[0]?.[0]).toContain('It is full.');
  open.mockResolvedValue({});
  await vi.advanceTimersByTimeAsync(20_000);
  expect(told).toEqual([true, false]);
});
