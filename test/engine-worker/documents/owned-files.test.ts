import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DocumentEndpoint } from '../../support/fakes/document-endpoint.ts';

interface Created {
  readonly id: string;
}

const metadata = { tabserve_owns_files: 'true' };
const HOUR = { 'expires_after[anchor]': 'created_at', 'expires_after[seconds]': '3600' };

let endpoint: DocumentEndpoint;

beforeEach(() => {
  endpoint = new DocumentEndpoint();
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const blobs = () => [...endpoint.stored.contents.keys()];
const newStore = async (fields: object) =>
  (await endpoint.json<Created>('POST', '/vector_stores', { metadata, ...fields })).id;
const statusOf = async (file: string) =>
  (await endpoint.json<{ httpStatus: number }>('GET', `/files/${file}`)).httpStatus;
const expiring = async () => ((await (await endpoint.upload('Whales.', 'a.txt', HOUR)).json()) as Created).id;

test('a vector store that owns its files says so', async () => {
  const store = await newStore({});
  expect(await endpoint.json('GET', `/vector_stores/${store}`)).toMatchObject({ owns_files: true });
  expect(await endpoint.json('POST', `/vector_stores/${store}`, { metadata: {} })).toMatchObject({ owns_files: false });
});

test('a vector store that owns its files is deleted with them in one step, and leaves no byte', async () => {
  const file_ids = [await endpoint.uploaded('Whales.'), await endpoint.uploaded('Bread.')];
  const store = await newStore({ file_ids });
  await endpoint.indexed(store);
  const change = vi.spyOn(endpoint.stored, 'change');
  expect(await endpoint.json('DELETE', `/vector_stores/${store}`)).toMatchObject({ deleted: true });
  expect(change).toHaveBeenCalledTimes(1);
  expect([endpoint.stored.size, blobs()]).toEqual([0, []]);
});

test('a file that another vector store has stays when its owner is deleted', async () => {
  const [shared, own] = [await endpoint.uploaded('Whales.'), await endpoint.uploaded('Bread.')];
  const store = await newStore({ file_ids: [shared, own] });
  const other = await newStore({ file_ids: [shared], metadata: {} });
  await endpoint.json('DELETE', `/vector_stores/${store}`);
  expect([await statusOf(shared), await statusOf(own)]).toEqual([200, 404]);
  await endpoint.json('DELETE', `/vector_stores/${other}`);
  expect(await statusOf(shared)).toBe(200);
});

test('the files of a vector store that owns them are deleted when it expires', async () => {
  const file = await endpoint.uploaded('Whales.');
  const store = await newStore({ file_ids: [file], expires_after: { anchor: 'last_active_at', days: 1 } });
  await endpoint.indexed(store);
  vi.setSystemTime(Date.now() + 2 * 24 * 3_600_000);
  expect(await endpoint.json('GET', `/vector_stores/${store}`)).toMatchObject({ status: 'expired' });
  expect([await statusOf(file), blobs()]).toEqual([404, []]);
});

test.each<[string, (store: string, file: string) => Promise<unknown>]>([
  ['one', (store, file_id) => endpoint.json('POST', `/vector_stores/${store}/files`, { file_id })],
  ['a batch', (store, file) => endpoint.json('POST', `/vector_stores/${store}/file_batches`, { file_ids: [file] })],
])('a file that is added as %s to a vector store that owns it does not expire any more', async (_, add) => {
  const [added, left] = [await expiring(), await expiring()];
  const store = await newStore({});
  await add(store, added);
  await endpoint.indexed(store);
  expect(await endpoint.json('GET', `/files/${added}`)).not.toHaveProperty('expires_at');
  vi.setSystemTime(Date.now() + 3_700_000);
  await endpoint.restartEngine();
  expect([await statusOf(added), await statusOf(left)]).toEqual([200, 404]);
  expect(blobs()).not.toContain(left);
});

test('a file that is added to another vector store expires as before', async () => {
  const file = await expiring();
  const store = await newStore({ file_ids: [file], metadata: {} });
  await endpoint.indexed(store);
  expect(await endpoint.json('GET', `/files/${file}`)).toHaveProperty('expires_at');
});
