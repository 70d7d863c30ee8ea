import { beforeEach, expect, test, vi } from 'vitest';
import { DocumentEndpoint } from '../../support/fakes/document-endpoint.ts';

const FILES = 6;

let endpoint: DocumentEndpoint;
let store: string;
let files: readonly string[];

const bundles = () => [...endpoint.stored.contents.keys()].filter((name) => name.includes(' bundle '));
const search = async (query: string) =>
  (await endpoint.json<{ data: { file_id: string }[] }>('POST', `/vector_stores/${store}/search`, { query })).data;

/** Waits until all files of the store can be found, and counts the blobs that are read for it by the next engine. */
async function readAfterRestart(found: number): Promise<number> {
  await endpoint.restartEngine();
  const { blobs } = endpoint.stored;
  const reading = vi.spyOn(blobs, 'read');
  const hits = await search('note');
  expect(new Set(hits.map(({ file_id }) => file_id)).size).toBe(found);
  const count = reading.mock.calls.length - found;
  reading.mockRestore();
  return count;
}

beforeEach(async () => {
  endpoint = new DocumentEndpoint({}, 3);
  const texts = Array.from({ length: FILES }, (_, file) => [`${file}.txt`, `This note has number ${file}.`]);
  ({ store, files } = await endpoint.filled(Object.fromEntries(texts) as Record<string, string>));
  await vi.waitUntil(() => bundles().length === 1);
});

test('the first search of many small files reads one blob for all of them', async () => {
  expect(await readAfterRestart(FILES)).toBe(1);
});

test.each<[string, () => Promise<unknown>, number]>([
  ['deleted', () => endpoint.json('DELETE', `/files/${files[2]}`), FILES - 1],
  ['removed from the store', () => endpoint.json('DELETE', `/vector_stores/${store}/files/${files[2]}`), FILES - 1],
  ['indexed again', () => endpoint.json('POST', `/vector_stores/${store}/files`, { file_id: files[2] }), FILES],
])('a file that is %s leaves no bundle with it, and the others are packed anew', async (_, change, found) => {
  const [former] = bundles();
  await change();
  await endpoint.indexed(store);
  expect(endpoint.stored.contents.has(former!)).toBe(false);
  await endpoint.restartEngine();
  await vi.waitFor(() => expect(bundles()).toHaveLength(1));
  expect(await readAfterRestart(found)).toBe(1);
});

test('a store that is deleted leaves no bundle', async () => {
  await endpoint.json('DELETE', `/vector_stores/${store}`);
  expect([...endpoint.stored.contents.keys()].toSorted()).toEqual(files.toSorted());
});

test('attributes of a file are changed without a new bundle', async () => {
  const [former] = bundles();
  const attributes = { year: 2026 };
  await endpoint.json('POST', `/vector_stores/${store}/files/${files[1]}`, { attributes });
  expect(bundles()).toEqual([former]);
  const filters = { type: 'eq', key: 'year', value: 2026 };
  const found = await endpoint.json('POST', `/vector_stores/${store}/search`, { query: 'note', filters });
  expect(found).toMatchObject({ data: [{ file_id: files[1] }] });
});

test.each<[string, (name: string, blob: Blob) => void]>([
  ['is lost', (name) => void endpoint.stored.contents.delete(name)],
  ['is cut', (name, blob) => void endpoint.stored.contents.set(name, blob.slice(0, blob.size - 7))],
  ['is cut in its header', (name, blob) => void endpoint.stored.contents.set(name, blob.slice(0, 20))],
  [
    'has lost its header',
    (name, blob) =>
      void endpoint.stored.contents.set(name, new Blob([blob.slice(0, 8), new Uint8Array(40), blob.slice(48)])),
  ],
  ['is empty', (name) => void endpoint.stored.contents.set(name, new Blob([]))],
  [
    'is of another version',
    (name, blob) => void endpoint.stored.contents.set(name, new Blob([Uint32Array.of(1), blob.slice(4)])),
  ],
])('after a bundle that %s all files are found, and packed by the next engine', async (_, damage) => {
  const [former] = bundles();
  damage(former!, endpoint.stored.contents.get(former!)!);
  await endpoint.restartEngine();
  expect(await search('note')).toHaveLength(FILES);
  expect(bundles()).toEqual([]);
  await endpoint.restartEngine();
  await vi.waitFor(() => expect(bundles()).toHaveLength(1));
  expect(await readAfterRestart(FILES)).toBe(1);
});

test('a bundle of which an earlier version has deleted a file is deleted by the next engine', async () => {
  const [former] = bundles();
  await endpoint.stored.change((step) => step.delete('storeFiles', `${store} ${files[0]}`));
  await endpoint.restartEngine();
  expect(endpoint.stored.contents.has(former!)).toBe(false);
  expect(await search('note')).toHaveLength(FILES - 1);
});

test('a bundle is not stored if one of its files is deleted while it is written', async () => {
  await endpoint.json('DELETE', `/files/${files[5]}`);
  const { blobs } = endpoint.stored;
  const { write } = blobs;
  blobs.write = async (name, content) => {
    if (name.includes(' bundle ')) await endpoint.json('DELETE', `/files/${files[4]}`);
    await write(name, content);
  };
  await endpoint.restartEngine();
  await vi.waitFor(async () =>
    expect(await endpoint.json('GET', `/files/${files[4]}`)).toMatchObject({ httpStatus: 404 }),
  );
  await vi.waitFor(() => expect(bundles()).toEqual([]));
  blobs.write = write;
  expect(await search('note')).toHaveLength(FILES - 2);
});

test('a bundle that cannot be read ends no search', async () => {
  const { blobs } = endpoint.stored;
  const { read } = blobs;
  const arrayBuffer = vi.fn<() => Promise<ArrayBuffer>>().mockRejectedValue(new DOMException('Gone.', 'NotFoundError'));
  blobs.read = async (name) => {
    const blob = await read(name);
    return name.includes(' bundle ') && blob ? Object.assign(blob.slice(), { arrayBuffer }) : blob;
  };
  await endpoint.restartEngine();
  expect(await search('note')).toHaveLength(FILES);
});

test('a file of a bundle whose own index is lost is indexed again once it is found', async () => {
  const { contents } = endpoint.stored;
  const index = [...contents.keys()].find((name) => name.includes(files[3]!) && name !== files[3])!;
  contents.delete(index);
  await endpoint.restartEngine();
  expect(await search('number 3')).toHaveLength(FILES - 1);
  await endpoint.indexed(store);
  expect(await search('number 3')).toHaveLength(FILES);
});

test('files are found although the disk has no room for a bundle', async () => {
  await endpoint.json('DELETE', `/files/${files[5]}`);
  endpoint.stored.writeError = new Error('The disk is full.');
  await endpoint.restartEngine();
  expect(await search('note')).toHaveLength(FILES - 1);
  expect(bundles()).toEqual([]);
});
