import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { addFile } from '../../../src/chat/api/collection-files.ts';
import { listCollections } from '../../../src/chat/api/collections.ts';
import { createCollection, deleteCollection } from '../../../src/chat/api/edit-collections.ts';
import { DocumentEndpoint } from '../../support/fakes/document-endpoint.ts';

beforeEach(() => void vi.stubGlobal('document', new EventTarget()));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const { signal } = new AbortController();

const absent = () => Response.json({ error: { code: 'file_not_found', message: 'Gone.' } }, { status: 404 });

/**
 * An endpoint of an earlier version, which deletes no collection with its files. It has one.
 * @param lists The files that it lists, for each time it is asked; null if the collection is gone.
 * @param gone Files that another tab has deleted since.
 * @returns What is deleted.
 */
function endpoint(lists: readonly (readonly string[] | null)[], gone: readonly string[] = []): readonly string[] {
  const deleted: string[] = [];
  let listed = 0;
  vi.stubGlobal('fetch', async (path: string, { method = 'GET' }: RequestInit) => {
    if (method === 'DELETE') {
      deleted.push(path);
      return gone.some((id) => path === `/v1/files/${id}`) || lists.at(-1) === null ? absent() : Response.json({});
    }
    if (path === '/v1/vector_stores/vs_1') return lists.at(-1) === null ? absent() : Response.json({ metadata: {} });
    const ids = lists[Math.min(listed, lists.length - 1)]!;
    listed += 1;
    return ids === null ? absent() : Response.json({ data: ids.map((id) => ({ id })), has_more: false });
  });
  return deleted;
}

test.each([
  ['with its files', [['a', 'b'], []], [], ['files/a', 'files/b']],
  ['with files that another tab adds meanwhile', [['a'], ['b'], []], [], ['files/a', 'files/b']],
  ['of which another tab has removed a file', [['a', 'b'], []], ['a'], ['files/a', 'files/b']],
  ['that goes on listing a file that has expired', [['a', 'b'], ['a']], ['a'], ['files/a', 'files/b']],
  ['that another tab has deleted', [null], [], []],
] as const)('a collection %s is deleted', async (_, lists, gone, files) => {
  const deleted = endpoint(lists, gone);
  await deleteCollection('vs_1', signal);
  expect(deleted).toEqual([...files, 'vector_stores/vs_1'].map((path) => `/v1/${path}`));
});

/**
 * Connects the page to an endpoint.
 * @param mayAsk Whether the page still lives to send a request.
 */
function use(device: DocumentEndpoint, mayAsk = (_method: string, _path: string) => true): void {
  vi.stubGlobal('fetch', (path: string, init: RequestInit = {}) =>
    mayAsk(init.method ?? 'GET', path)
      ? device.app.fetch(new Request(`https://tabserve.test${path}`, { ...init, signal: null }))
      : new Promise<Response>(() => {}),
  );
}

const turns = async () => {
  for (let count = 0; count < 50; count += 1) await new Promise((resolve) => setImmediate(resolve));
};

const FILES = 4;

/** A collection of the page, or a vector store of a program. */
async function filled(device: DocumentEndpoint, metadata: object | null): Promise<string> {
  if (metadata !== null) {
    const file_ids = [];
    for (let file = 0; file < FILES; file += 1) file_ids.push(await device.uploaded(`Note ${file}.`));
    const { id } = await device.json<{ id: string }>('POST', '/vector_stores', { file_ids, metadata });
    return id;
  }
  const collection = await createCollection('Notes', signal);
  for (let file = 0; file < FILES; file += 1) await addFile(collection, new File([`Note ${file}.`], 'a.txt'), {});
  return collection.id;
}

const full = Object.fromEntries(Array.from({ length: 16 }, (_, entry) => [`name ${entry}`, 'value']));

test.each<[string, object | null]>([
  ['of the page', null],
  ['of a program', {}],
])('a collection %s is there as a whole or gone, wherever the page ends while it is deleted', async (_, metadata) => {
  for (let requests = 0; requests <= 4; requests += 1) {
    const device = new DocumentEndpoint();
    use(device);
    const id = await filled(device, metadata);
    await device.indexed(id);
    const size = device.stored.contents.size;
    let sent = 0;
    use(device, () => (sent += 1) <= requests);
    void deleteCollection(id, signal);
    await turns();
    expect([0, size]).toContain(device.stored.contents.size);
    use(device);
    await deleteCollection(id, signal);
    expect([device.stored.size, device.stored.contents.size]).toEqual([0, 0]);
  }
});

test('a collection whose metadata have no room is deleted with its files', async () => {
  const device = new DocumentEndpoint();
  use(device);
  const id = await filled(device, full);
  await deleteCollection(id, signal);
  expect(await listCollections(signal)).toEqual([]);
  expect([device.stored.size, device.stored.contents.size]).toEqual([0, 0]);
});

test('a file whose page ends before the collection has it is gone after a day, and the others stay', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const device = new DocumentEndpoint();
  use(device);
  const id = await filled(device, null);
  const program = await device.uploaded('Of a program.');
  use(device, (method, path) => !(method === 'POST' && path.endsWith('/files') && path.includes('vector_stores')));
  void addFile({ id, owns_files: true }, new File(['Lost.'], 'a.txt'), {});
  await turns();
  const ids = async () => (await device.json<{ data: { id: string }[] }>('GET', '/files')).data.map((file) => file.id);
  expect(await ids()).toHaveLength(FILES + 2);
  vi.setSystemTime(Date.now() + 25 * 3_600_000);
  await device.restartEngine();
  expect(await ids()).toHaveLength(FILES + 1);
  expect(await ids()).toContain(program);
  await device.indexed(id);
  expect(await device.json('GET', `/vector_stores/${id}`)).toMatchObject({ file_counts: { completed: FILES } });
});
