import { afterEach, expect, test, vi } from 'vitest';
import { filesOfDrop, filesOfField, filesOfFolder } from '../../../src/chat/documents/chosen-files.ts';

type Tree = { readonly [name: string]: Tree | string };

/** More entries than a browser returns at once for a folder. */
const MANY = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`${index}.txt`, 'x']));
/** Content of a file that the browser cannot open. */
const LOCKED = 'locked';
const TREE: Tree = {
  papers: {
    'locked.txt': LOCKED,
    'a.pdf': 'A',
    '2024': { 'a.pdf': 'B', '.hidden.txt': 'no' },
    '.git': { config: 'no' },
    empty: {},
    many: MANY,
  },
};
const EXPECTED = [
  'papers/a.pdf',
  'papers/locked.txt',
  'papers/2024/a.pdf',
  ...Object.keys(MANY).map((name) => `papers/many/${name}`),
].toSorted();

/** A dropped entry as browsers have it, whose reader returns at most a hundred entries at once. */
function entryOf(name: string, content: Tree | string, path = `/${name}`): FileSystemEntry {
  if (typeof content === 'string') {
    const file = (done: (file: File) => void, fail: () => void) =>
      content === LOCKED ? fail() : done(new File([content], name));
    return { name, fullPath: path, isFile: true, isDirectory: false, file } as unknown as FileSystemEntry;
  }
  const inner = Object.entries(content).map(([name, content]) => entryOf(name, content, `${path}/${name}`));
  const createReader = () => ({ readEntries: (done: (part: FileSystemEntry[]) => void) => done(inner.splice(0, 100)) });
  return { name, fullPath: path, isFile: false, isDirectory: true, createReader } as unknown as FileSystemEntry;
}

function drop(
  items: readonly { readonly entry?: FileSystemEntry; readonly file?: File; readonly kind?: string }[],
): DataTransfer {
  const all = items.map(({ entry = null, file = null, kind = 'file' }) => ({
    kind,
    webkitGetAsEntry: () => entry,
    getAsFile: () => file,
  }));
  return { items: all } as unknown as DataTransfer;
}

afterEach(() => vi.unstubAllGlobals());

test('a drop has the files of all folders with their paths, but nothing that a dot hides', async () => {
  const found = await filesOfDrop(drop([{ entry: entryOf('papers', TREE['papers']!) }, { kind: 'string' }]));
  expect(found.map(({ name }) => name).toSorted()).toEqual(EXPECTED);
  expect(await found.find(({ name }) => name === 'papers/2024/a.pdf')?.file?.text()).toBe('B');
  expect(found.flatMap(({ file, name }) => (file === null ? [name] : []))).toEqual(['papers/locked.txt']);
});

test('a dropped file that is no entry of a file system, and one that is gone, are told apart', async () => {
  const file = new File(['x'], 'a.txt');
  expect(await filesOfDrop(drop([{ file }, {}]))).toEqual([{ file, name: 'a.txt' }]);
});

test('a chosen folder has the files of all folders with their paths, but nothing that a dot hides', async () => {
  class FileHandle {
    readonly name: string;
    readonly content: string;
    constructor(name: string, content: string) {
      this.name = name;
      this.content = content;
    }
    async getFile(): Promise<File> {
      if (this.content === LOCKED) throw new DOMException('Locked.', 'NotReadableError');
      return new File([this.content], this.name);
    }
  }
  class DirectoryHandle {
    readonly name: string;
    readonly content: Tree;
    constructor(name: string, content: Tree) {
      this.name = name;
      this.content = content;
    }
    async *values() {
      for (const [name, content] of Object.entries(this.content))
        yield typeof content === 'string' ? new FileHandle(name, content) : new DirectoryHandle(name, content);
    }
  }
  vi.stubGlobal('FileSystemFileHandle', FileHandle);
  vi.stubGlobal('FileSystemDirectoryHandle', DirectoryHandle);
  const folder = new DirectoryHandle('papers', TREE['papers'] as Tree) as unknown as FileSystemDirectoryHandle;
  const found = await filesOfFolder(folder);
  expect(found.map(({ name }) => name).toSorted()).toEqual(EXPECTED);
  expect(found.flatMap(({ file, name }) => (file === null ? [name] : []))).toEqual(['papers/locked.txt']);
});

test('the files of a field that chooses folders have their paths, and only what is chosen itself may be hidden', () => {
  const paths = ['papers/a.txt', 'papers/.git/config', 'papers/.env', '.notes/a.txt'];
  const files = paths.map((webkitRelativePath) =>
    Object.assign(new File(['x'], webkitRelativePath.split('/').at(-1)!), { webkitRelativePath }),
  );
  const single = ['b.txt', '.env'].map((name) => Object.assign(new File(['x'], name), { webkitRelativePath: '' }));
  const found = filesOfField([...files, ...single]);
  expect(found.map(({ name }) => name)).toEqual(['papers/a.txt', '.notes/a.txt', 'b.txt', '.env']);
});
