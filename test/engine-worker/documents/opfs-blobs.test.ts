import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openOpfsBlobs } from '../../../src/engine-worker/documents/storage/opfs-blobs.ts';

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

beforeEach(() => {
  root = new MemoryFolder();
  vi.stubGlobal(
    'FileSystemFileHandle',
    class {
      createWritable(): void {}
    },
  );
  vi.stubGlobal('navigator', { storage: { getDirectory: async () => root } });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

test('a blob is written, replaced, read, listed and deleted', async () => {
  const blobs = (await openOpfsBlobs())!;
  expect([await blobs.read('a'), await blobs.names()]).toEqual([null, []]);
  await blobs.write('a', new Blob(['one']));
  await blobs.write('a', new Blob(['two']));
  expect([await (await blobs.read('a'))!.text(), await blobs.names()]).toEqual(['two', ['a']]);
  await blobs.delete('a');
  await blobs.delete('a');
  expect([await blobs.read('a'), await blobs.names()]).toEqual([null, []]);
});

test('blobs are stored again after another tab has deleted everything', async () => {
  const blobs = (await openOpfsBlobs())!;
  await blobs.write('a', new Blob(['one']));
  for (const name of root.entries.keys()) await root.removeEntry(name);
  expect([await blobs.read('a'), await blobs.names()]).toEqual([null, []]);
  await blobs.delete('a');
  await blobs.write('b', new Blob(['two']));
  expect(await (await blobs.read('b'))!.text()).toBe('two');
});
