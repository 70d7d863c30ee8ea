import type { ReactiveController } from 'lit';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CollectionsController } from '../../../src/chat/common/collections-controller.ts';

/** An endpoint with one collection, of which this many files are still to be indexed, and perhaps another one. */
const endpoint = { waiting: 0, paused: false, others: [] as readonly object[], asked: 0, status: 200 };

beforeEach(() => {
  Object.assign(endpoint, { waiting: 0, paused: false, others: [], asked: 0, status: 200 });
  vi.useFakeTimers();
  vi.stubGlobal('addEventListener', () => {});
  vi.stubGlobal('removeEventListener', () => {});
  vi.stubGlobal('document', new EventTarget());
  vi.stubGlobal('navigator', { serviceWorker: { controller: {} } });
  vi.stubGlobal('fetch', async () => {
    endpoint.asked += 1;
    const error = { code: 'engine_unavailable', message: 'No engine.', param: null };
    const data = [collection('vs_1', endpoint.waiting, endpoint.paused), ...endpoint.others];
    return Response.json(endpoint.status === 200 ? { data, has_more: false } : { error }, { status: endpoint.status });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function collection(id: string, waiting: number, paused: boolean): object {
  return { id, name: 'Papers', file_counts: { in_progress: waiting }, indexing: { paused } };
}

function connect(isLazy = false) {
  const controllers: ReactiveController[] = [];
  const host = {
    addController: (controller: ReactiveController) => void controllers.push(controller),
    removeController: () => {},
    requestUpdate: () => {},
    updateComplete: Promise.resolve(true),
  };
  const list = new CollectionsController(host, isLazy);
  for (const controller of controllers) controller.hostConnected?.();
  return { list, disconnect: () => controllers.forEach((controller) => controller.hostDisconnected?.()) };
}

test('the list is read again every second while files are being indexed, until the host is gone', async () => {
  endpoint.waiting = 2;
  const { list, disconnect } = connect();
  await vi.advanceTimersByTimeAsync(3500);
  expect(endpoint.asked).toBe(4);
  expect(list.collections).toMatchObject([{ id: 'vs_1' }]);
  endpoint.waiting = 0;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(endpoint.asked).toBe(5);
  endpoint.waiting = 2;
  await list.refresh();
  disconnect();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(endpoint.asked).toBe(6);
});

test.for([
  ['seldom while indexing is paused', [], 1, 5],
  ['every second while the files of another collection are being indexed', [collection('vs_2', 1, false)], 60, 61],
  ['seldom while the files of another collection are indexed and none waits', [collection('vs_2', 0, false)], 1, 5],
] as const)('the list is read again %s', async ([, others, least, most]) => {
  Object.assign(endpoint, { waiting: 2, paused: true, others });
  const { list } = connect();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(endpoint.asked - 1).toBeGreaterThanOrEqual(least);
  expect(endpoint.asked - 1).toBeLessThanOrEqual(most);
  // It goes on in another tab.
  endpoint.paused = false;
  await vi.advanceTimersByTimeAsync(15_000);
  expect(list.collections).toMatchObject([{ indexing: { paused: false } }, ...others]);
});

test('changes during a reading lead to one more reading, however many they are', async () => {
  const { list } = connect();
  await Promise.all([list.refresh(), list.refresh(), list.refresh()]);
  expect(endpoint.asked).toBe(2);
});

test('a lazy list is read only on demand', async () => {
  endpoint.waiting = 2;
  const { list } = connect(true);
  await vi.advanceTimersByTimeAsync(5000);
  expect(endpoint.asked).toBe(0);
  await list.refresh();
  await vi.advanceTimersByTimeAsync(5000);
  expect(endpoint.asked).toBe(1);
});

test('a failed reading keeps the last list and tells why', async () => {
  const { list } = connect();
  await list.refresh();
  endpoint.status = 503;
  await list.refresh();
  expect(list).toMatchObject({ problem: 'No engine.', collections: [{ id: 'vs_1' }] });
});
