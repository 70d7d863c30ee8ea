import { expect, test } from 'vitest';
import type { RequestRecord } from '../tabs/traffic.ts';
import type { Recovery } from './await-recovery.ts';
import { availabilityOf, missedBars } from './availability.ts';

function request(outcome: string, struck = false): RequestRecord {
  return { start: 0, end: 1, tab: 1, asked: 'week', fault: 'none', outcome, failed: false, struck };
}

function recovery(available: number, defect: string | null = null): Recovery {
  return { faults: ['tab closed'], tab: 1, time: 5 * available, available, defect, gaveUp: false };
}

test('only requests that no fault struck count, and none whose outcome says nothing about the endpoint', () => {
  const outcomes = ['right', 'refused', 'left', 'lost with its tab', 'past its worker', '503 engine_unavailable'];
  const all = [...outcomes.map((outcome) => request(outcome)), request('cut off', true), request('right', true)];
  expect(availabilityOf(all, [])).toMatchObject({ requests: 3, right: 2 });
});

test('requests that end while the browser is broken do not count', () => {
  const all = [10, 20, 30, 41].map((end) => ({ ...request('503 x'), end }));
  expect(availabilityOf(all, [], [{ since: 20, time: 40 }])).toMatchObject({ requests: 2 });
});

test('recoveries are ranked, and those that a defect of the browser prolonged are told apart', () => {
  const times = Array.from({ length: 20 }, (_, index) => recovery((20 - index) * 1000));
  expect(availabilityOf([], [...times, recovery(90_000, 'a stall')])).toMatchObject({
    recoveries: 20,
    soon: 0.5,
    median: 10_000,
    p95: 19_000,
    worst: 20_000,
    worstWithDefect: 90_000,
  });
});

test.for<[right: number, of: number, worst: number, sharedWorker: boolean, missed: number]>([
  [190, 200, 30_000, true, 0],
  [189, 200, 30_000, true, 1],
  [90, 100, 30_000, true, 0],
  [100, 100, 30_001, true, 1],
  [100, 100, 45_000, false, 0],
  [0, 200, 45_001, false, 2],
  [0, 0, 0, true, 0],
])('%i of %i right and %i ms at worst, with SharedWorker: %s, miss %i bars', ([right, of, worst, shared, missed]) => {
  const requests = Array.from({ length: of }, (_, index) => request(index < right ? 'right' : '503 x'));
  expect(missedBars(availabilityOf(requests, [recovery(worst)]), shared)).toHaveLength(missed);
});
