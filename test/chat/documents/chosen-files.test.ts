import { afterEach, expect, test, vi } from 'vitest';
import type { CollectionFile } from '../../../src/chat/api/collection-files.ts';
import { absentFiles } from '../../../src/chat/documents/absent-files.ts';
import { filesOfDrop, filesOfField, filesOfFolder, type Chosen } from '../../../src/chat/documents/chosen-files.ts';

type Tree = { readonly [name: string]: Tree | string };

/** More entries than a browser returns at once for a folder. */
const MANY = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`${index}.txt`, 'x']));
/** Content of a file that the browser cannot open. */
const LOCKED = 'locked';
/** Content of a folder that the browser cannot open. */
const FORBIDDEN: Tree = {};
const TREE: Tree = {
  papers: {
    'locked.txt': LOCKED,
    'a.pdf': 'A',
    '2024': { 'a.pdf': 'B', '.hidden.txt': 'no' },
    '.git': { config: 'no' },
    empty: {},
    forbidden: FORBIDDEN,
    many: MANY,
  },
};
const EXPECTED = [
  'papers/a.pdf',
  'papers/locked.txt',
  'papers/forbidden',
  'papers/2024/a.pdf',
  ...Object.keys(MANY).map((name) => `papers/many/${name}`),
].toSorted();

const UNREADABLE = ['papers/forbidden', 'papers/locked.txt'];

/** A dropped entry as browsers have it, whose reader returns at most a hundred entries at once. */
function entryOf(name: string, content: Tree | string, path = `/${name}`): FileSystemEntry {
  if (typeof content === 'string') {
    const file = (done: (file: File) => void, fail: () => void) =>
      content === LOCKED ? fail() : done(new File([content], name));
    return { name, fullPath: path, isFile: true, isDirectory: false, file } as unknown as FileSystemEntry;
  }
  const inner = Object.entries(content).map(([name, content]) => entryOf(name, content, `${path}/${name}`));
  const createReader = () => ({
    readEntries: (done: (part: FileSystemEntry[]) => void, fail: (error: Error) => void) =>
      content === FORBIDDEN ? fail(new DOMException('No.', 'NotReadableError')) : done(inner.splice(0, 100)),
  });
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

const allOf = ({ files, folders }: Chosen) => [...files, ...folders.flatMap((folder) => folder.files)];

test('a drop has the files of all folders with their paths, but nothing that a dot hides', async () => {
  const found = allOf(await filesOfDrop(drop([{ entry: entryOf('papers', TREE['papers']!) }, { kind: 'string' }])));
  expect(found.map(({ name }) => name).toSorted()).toEqual(EXPECTED);
  expect(await found.find(({ name }) => name === 'papers/2024/a.pdf')?.file?.text()).toBe('B');
  expect(found.flatMap(({ file, name }) => (file === null ? [name] : [])).toSorted()).toEqual(UNREADABLE);
});

test('a dropped file that is no entry of a file system, and one that is gone, are told apart', async () => {
  const file = new File(['x'], 'a.txt');
  expect(await filesOfDrop(drop([{ file }, {}]))).toEqual({ files: [{ file, name: 'a.txt' }], folders: [] });
});

test('two folders and two files of the same name that are dropped at once are told apart', async () => {
  const items = ['One', 'Other'].flatMap((text) => [
    { entry: entryOf('papers', { 'a.txt': text }) },
    { entry: entryOf('b.txt', text) },
    { entry: entryOf('README', text) },
  ]);
  const { files, folders } = await filesOfDrop(drop(items));
  expect(files.map(({ name }) => name)).toEqual(['b.txt', 'README', 'b (2).txt', 'README (2)']);
  expect(folders).toMatchObject([
    { name: 'papers', handle: null, files: [{ name: 'papers/a.txt' }] },
    { name: 'papers', handle: null, files: [{ name: 'papers/a.txt' }] },
  ]);
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
      if (this.content === FORBIDDEN) throw new DOMException('No.', 'NotReadableError');
      for (const [name, content] of Object.entries(this.content))
        yield typeof content === 'string' ? new FileHandle(name, content) : new DirectoryHandle(name, content);
    }
  }
  vi.stubGlobal('FileSystemFileHandle', FileHandle);
  vi.stubGlobal('FileSystemDirectoryHandle', DirectoryHandle);
  const folder = new DirectoryHandle('papers', TREE['papers'] as Tree) as unknown as FileSystemDirectoryHandle;
  const found = await filesOfFolder(folder);
  const gone = new DirectoryHandle('gone', FORBIDDEN) as unknown as FileSystemDirectoryHandle;
  await expect(filesOfFolder(gone)).rejects.toThrow('No.');
  expect(found.map(({ name }) => name).toSorted()).toEqual(EXPECTED);
  expect(found.flatMap(({ file, name }) => (file === null ? [name] : [])).toSorted()).toEqual(UNREADABLE);
});

test('the files of a field that chooses folders have their paths, and only what is chosen itself may be hidden', () => {
  const paths = ['papers/a.txt', 'papers/.git/config', 'papers/.env', '.notes/a.txt'];
  const files = paths.map((webkitRelativePath) =>
    Object.assign(new File(['x'], webkitRelativePath.split('/').at(-1)!), { webkitRelativePath }),
  );
  const single = ['b.txt', '.env'].map((name) => Object.assign(new File(['x'], name), { webkitRelativePath: '' }));
  const found = filesOfField([...files, ...single]);
  expect(found.folders.map(({ name }) => name)).toEqual(['papers', '.notes']);
  expect(allOf(found).map(({ name }) => name)).toEqual(['b.txt', '.env', 'papers/a.txt', '.notes/a.txt']);
});

test('files of a folder are absent that it does not have any more, but not those in a folder that cannot be read', () => {
  const names = ['papers/a.txt', 'papers/b.txt', 'papers/locked/c.txt', 'papers/locked too/d.txt', 'other/e.txt', 5];
  const known = names.map((name) => ({ attributes: { name } })) as unknown as readonly CollectionFile[];
  const found = [
    { name: 'papers/a.txt', file: new File(['x'], 'a.txt') },
    { name: 'papers/locked', file: null },
  ];
  const absent = absentFiles(known, found, 'papers');
  expect(absent.map(({ attributes: { name } }) => name)).toEqual(['papers/b.txt', 'papers/locked too/d.txt']);
});

test('a file is not absent because another system writes its letters with other characters', () => {
  const known = ['caf\u00e9.txt', 'gone \u00e9.txt'].map((name) => ({ attributes: { name: `pap\u00e9/${name}` } }));
  const found = [{ name: 'pape\u0301/cafe\u0301.txt', file: new File(['x'], 'cafe\u0301.txt') }];
  expect(absentFiles(known as CollectionFile[], found, 'pape\u0301')).toEqual([known[1]]);
});
