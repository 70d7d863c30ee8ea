import { expect, test, vi } from 'vitest';
import { addRequestRecord, listRequestRecords, setContentLogged } from '../../../src/shared/storage/request-records.ts';
import type { RequestRecord } from '../../../src/shared/storage/request-record.ts';

const { openDB } = vi.hoisted(() => {
  const settings = new Map<string, unknown>();
  const records: unknown[] = [];
  const cursorAt = (index: number): object | null =>
    index >= records.length
      ? null
      : {
          value: records[index],
          update: async (value: unknown) => void (records[index] = value),
          continue: async () => cursorAt(index + 1),
        };
  const requests = {
    add: async (record: unknown) => void records.push(record),
    count: async () => records.length,
    openCursor: async () => cursorAt(0),
  };
  const database = {
    get: async (_store: string, key: string) => settings.get(key),
    getAll: async () => [...records],
    transaction: () => ({
      store: requests,
      objectStore: (name: string) =>
        name === 'requests' ? requests : { put: async (value: unknown, key: string) => void settings.set(key, value) },
      done: Promise.resolve(),
    }),
  };
  return { openDB: async () => database };
});

vi.mock('idb', () => ({ openDB }));

test('a request that ends after contents were switched off is logged without them', async () => {
  const record = { requestId: 'r', content: { request: 'Who?', response: 'Nobody.' } } as RequestRecord;
  await setContentLogged(true);
  await addRequestRecord(record);
  expect(await listRequestRecords()).toEqual([record]);
  await setContentLogged(false);
  await addRequestRecord(record);
  const without = { ...record, content: null };
  expect(await listRequestRecords()).toEqual([without, without]);
});
