import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { BlobStore } from '../../../src/engine-worker/documents/storage/blob-store.ts';
import { openOpfsBlobs } from '../../../src/engine-worker/documents/storage/opfs-blobs.ts';
import { siteBlobs } from '../../../src/engine-worker/documents/storage/site-blobs.ts';
import { MemoryDocuments } from '../../support/fakes/memory-documents.ts';

/** A folder of the origin private file system. After it was removed, its handles work no longer. */
class MemoryFolder {
  readonly entries = new Map<string, MemoryFolder | Blob>();
  isRemoved = false;

  async getDirectoryHandle(name: string): Promise<MemoryFolder> {
    this.#expectThere();
    if (!this.entries.has(name)) this.entries.set(name, new MemoryFolder());
    return this.entries.get(name) as MemoryFolder;
  }

  async getFileHandle(name: string, { create = false } = {}) {
    this.#expectThere();
    if (!create && !this.entries.has(name)) throw new DOMException('No such file.', 'NotFoundError');
    const parts: Uint8Array<ArrayBuffer>[] = [];
    return {
      getFile: async () => this.entries.get(name),
      createWritable: async () =>
        new WritableStream<Uint8Array<ArrayBuffer>>({
          write: (part) => void parts.push(part),
          close: () => void this.entries.set(name, new Blob(parts)),
        }),
    };
  }

  async removeEntry(name: string): Promise<void> {
    this.#expectThere();
    const entry = this.entries.get(name);
    if (entry === undefined) throw new DOMException('No such file.', 'NotFoundError');
    if (entry instanceof MemoryFolder) entry.isRemoved = true;
    this.entries.delete(name);
  }

  async *keys(): AsyncGenerator<string> {
    this.#expectThere();
    yield* this.entries.keys();
  }

  #expectThere(): void {
    if (this.isRemoved) throw new DOMException('The folder was removed.', 'NotFoundError');
  }
}

let root: MemoryFolder;
/** What opening the file system throws. Null: it opens. */
let failure: Error | null;
let database: MemoryDocuments;
let blobs: BlobStore;

beforeEach(() => {
  root = new MemoryFolder();
  failure = null;
  database = new MemoryDocuments();
  blobs = siteBlobs(openOpfsBlobs, database.blobs);
  vi.stubGlobal(
    'FileSystemFileHandle',
    class {
      createWritable(): void {}
    },
  );
  vi.stubGlobal('navigator', {
    storage: {
      async getDirectory() {
        if (failure !== null) throw failure;
        return root;
      },
    },
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

test('a blob is written, replaced, read, listed and deleted', async () => {
  expect([await blobs.read('a'), await blobs.names()]).toEqual([null, []]);
  await blobs.write('a', new Blob(['one']));
  await blobs.write('a', new Blob(['two']));
  expect([await (await blobs.read('a'))!.text(), await blobs.names()]).toEqual(['two', ['a']]);
  await blobs.delete('a');
  await blobs.delete('a');
  expect([await blobs.read('a'), await blobs.names()]).toEqual([null, []]);
});

test('blobs are stored again after another tab has deleted everything', async () => {
  await blobs.write('a', new Blob(['one']));
  for (const name of root.entries.keys()) await root.removeEntry(name);
  expect([await blobs.read('a'), await blobs.names()]).toEqual([null, []]);
  await blobs.delete('a');
  await blobs.write('b', new Blob(['two']));
  expect(await (await blobs.read('b'))!.text()).toBe('two');
});

test.each([
  ['throws', () => (failure = new DOMException('Not here.', 'SecurityError'))],
  ['is missing', () => vi.stubGlobal('FileSystemFileHandle', undefined)],
])('the database has the blobs where the file system %s', async (_, remove) => {
  remove();
  await blobs.write('a', new Blob(['one']));
  expect([await (await blobs.read('a'))!.text(), await blobs.read('b'), await blobs.names()]).toEqual([
    'one',
    null,
    ['a'],
  ]);
  await blobs.delete('a');
  expect(await blobs.names()).toEqual([]);
});

test('a file system that fails for a while is used again, and what was stored meanwhile is found and deleted', async () => {
  await blobs.write('before', new Blob(['one']));
  failure = new DOMException('Not now.', 'UnknownError');
  await blobs.write('meanwhile', new Blob(['two']));
  expect(await (await blobs.read('meanwhile'))!.text()).toBe('two');
  // It may be in the file system, so it does not count as missing.
  for (const use of [() => blobs.read('before'), () => blobs.delete('before'), () => blobs.names()]) {
    await expect(use()).rejects.toMatchObject({ code: 'storage_unavailable' });
  }
  failure = null;
  await blobs.write('after', new Blob(['three']));
  expect([...database.contents.keys()]).toEqual(['meanwhile']);
  expect((await blobs.names()).toSorted()).toEqual(['after', 'before', 'meanwhile']);
  for (const name of await blobs.names()) await blobs.delete(name);
  expect(await blobs.names()).toEqual([]);
});
