import { expect, test, vi } from 'vitest';
import { HUB_SITES, type HubSiteRecords } from '../../../src/engine-worker/hub/hub-database.ts';

const openDB = vi.hoisted(() => vi.fn<() => Promise<object>>());
vi.mock('idb', () => ({ openDB }));

/** Name of the error with which the database fails. */
let name: string;

const fail = async () => {
  throw new DOMException('No.', name);
};

test.each<[use: string, run: (sites: HubSiteRecords) => Promise<unknown>]>([
  ['get', (sites) => sites.get('https://one.test')],
  ['list', (sites) => sites.list()],
  ['put', (sites) => sites.put({} as never)],
  ['delete', (sites) => sites.delete('https://one.test')],
])('a failure of the database of sites to %s is told with its cause', async (_, run) => {
  openDB.mockResolvedValue({ get: fail, getAll: fail, put: fail, delete: fail });
  name = 'QuotaExceededError';
  await expect(run(HUB_SITES)).rejects.toMatchObject({
    code: 'storage_unavailable',
    message: expect.stringMatching(/full/),
  });
  // The person has deleted the data of the hub meanwhile.
  name = 'InvalidStateError';
  await expect(run(HUB_SITES)).rejects.toMatchObject({ code: 'storage_unavailable' });
});
