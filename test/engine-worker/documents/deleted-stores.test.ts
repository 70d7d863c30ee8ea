import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DocumentEndpoint } from '../../support/fakes/document-endpoint.ts';

/** More than the endpoint deletes before it answers. */
const FILES = 150;

let endpoint: DocumentEndpoint;
let store: string;
/** Lets the deletions of blobs go on. */
let release: () => void;

/** A vector store of many files, on a disk that deletes nothing until {@link release}. */
beforeEach(async () => {
  endpoint = new DocumentEndpoint({}, Infinity);
  const texts = Array.from({ length: FILES }, (_, file) => [`${file}.txt`, `Note ${file}.`]);
  ({ store } = await endpoint.filled(Object.fromEntries(texts) as Record<string, string>));
  const { blobs, contents } = endpoint.stored;
  const released = new Promise<void>((resolve) => (release = resolve));
  vi.spyOn(blobs, 'delete').mockImplementation(async (name) => {
    await released;
    contents.delete(name);
  });
});
afterEach(() => release());

test('a vector store of many files is deleted before the last of their indexes is gone', async () => {
  expect(await endpoint.json('DELETE', `/vector_stores/${store}`)).toMatchObject({ deleted: true });
  expect(await endpoint.json('GET', `/vector_stores/${store}`)).toMatchObject({ httpStatus: 404 });
  expect(endpoint.stored.contents.size).toBe(2 * FILES);
  release();
  await vi.waitFor(() => expect(endpoint.stored.contents.size).toBe(FILES));
});

test('a file that is deleted meanwhile does not wait for them', async () => {
  const file = await endpoint.uploaded('Another note.');
  const own = vi.mocked(endpoint.stored.blobs.delete);
  const wait = own.getMockImplementation()!;
  own.mockImplementation(async (name) => (name === file ? void endpoint.stored.contents.delete(name) : wait(name)));
  await endpoint.json('DELETE', `/vector_stores/${store}`);
  expect(await endpoint.json('DELETE', `/files/${file}`)).toMatchObject({ deleted: true });
  expect(endpoint.stored.contents.size).toBe(2 * FILES);
});

test('what an engine has not deleted before its end, the next one does', async () => {
  await endpoint.json('DELETE', `/vector_stores/${store}`);
  endpoint.storage.lastStep = 0;
  release();
  await endpoint.restartEngine();
  await vi.waitFor(() => expect(endpoint.stored.contents.size).toBe(FILES));
});

test('a file is uploaded while the next engine deletes what is left of many', async () => {
  await endpoint.json('DELETE', `/vector_stores/${store}`);
  endpoint.storage.lastStep = 0;
  let deletions = 0;
  let uploaded = Promise.resolve('');
  const own = vi.mocked(endpoint.stored.blobs.delete);
  const wait = own.getMockImplementation()!;
  own.mockImplementation(async (name) => {
    deletions += 1;
    if (deletions === 50) uploaded = endpoint.uploaded('Another note.');
    return deletions > 100 ? wait(name) : void endpoint.stored.contents.delete(name);
  });
  const resumed = endpoint.restartEngine();
  await vi.waitFor(() => expect(deletions).toBeGreaterThan(100));
  const file = await uploaded;
  release();
  await resumed;
  expect(endpoint.stored.contents.size).toBe(FILES + 1);
  expect(endpoint.stored.contents.has(file)).toBe(true);
});
