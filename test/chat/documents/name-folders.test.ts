import { expect, test } from 'vitest';
import { nameFolders, type SameOrOther } from '../../../src/chat/documents/name-folders.ts';

/** A handle of the folder at a path. */
const handleOf = (path: string) =>
  ({
    path,
    isSameEntry: async (other: { readonly path: string }) => other.path === path,
  }) as unknown as FileSystemDirectoryHandle;

/** A folder named papers; with a path where the browser tells which one it is. */
const papers = (path: string | null = null) => ({
  name: 'papers',
  handle: path === null ? null : handleOf(path),
  files: [{ name: 'papers/a.txt', file: null }],
});

interface Known {
  readonly files?: readonly string[];
  readonly remembered?: Readonly<Record<string, string>>;
  readonly answer?: SameOrOther | null;
}

/** Returns the names that folders get, and those about which the person is asked. */
async function named(folders: readonly ReturnType<typeof papers>[], { files = [], remembered = {}, answer }: Known) {
  const asked: string[] = [];
  const found = await nameFolders(folders, {
    has: (name) => files.includes(name),
    remembered: Object.entries(remembered).map(([name, path]) => ({ name, handle: handleOf(path) })),
    ask: async (name) => {
      asked.push(name);
      return answer ?? null;
    },
  });
  for (const { name, files: own } of found) expect(own).toEqual([{ name: `${name}/a.txt`, file: null }]);
  return { names: found.map(({ name }) => name), asked };
}

test.each<[what: string, folders: ReturnType<typeof papers>[], known: Known, names: string[], asked?: string[]]>([
  ['into an empty collection keeps its name', [papers()], {}, ['papers']],
  [
    'that is remembered keeps its name',
    [papers('/a')],
    { files: ['papers'], remembered: { papers: '/a' } },
    ['papers'],
  ],
  [
    'that is remembered under another name gets that name',
    [papers('/b')],
    { files: ['papers', 'papers (2)'], remembered: { papers: '/a', 'papers (2)': '/b' } },
    ['papers (2)'],
  ],
  [
    'with the name of another one that is remembered gets a number',
    [papers('/b')],
    { remembered: { papers: '/a' } },
    ['papers (2)'],
  ],
  ['with the name of another one of the same drop gets a number', [papers(), papers()], {}, ['papers', 'papers (2)']],
  [
    'with a number that files have already gets the next one',
    [papers(), papers()],
    { files: ['papers (2)'] },
    ['papers', 'papers (3)'],
  ],
  [
    'that the person calls the same keeps its name',
    [papers()],
    { files: ['papers'], answer: 'same' },
    ['papers'],
    ['papers'],
  ],
  [
    'that the person calls another one gets a number',
    [papers()],
    { files: ['papers'], answer: 'other' },
    ['papers (2)'],
    ['papers'],
  ],
  ['that the person does not want is left out', [papers()], { files: ['papers'], answer: null }, [], ['papers']],
  [
    'whose files are there but which is not remembered is asked about, also where the browser tells folders apart',
    [papers('/a')],
    { files: ['papers'], answer: 'other' },
    ['papers (2)'],
    ['papers'],
  ],
  [
    'of a browser that does not tell folders apart is asked about if one of that name is remembered',
    [papers()],
    { remembered: { papers: '/a' }, answer: 'same' },
    ['papers'],
    ['papers'],
  ],
])('a folder %s', async (_, folders, known, names, asked = []) => {
  expect(await named(folders, known)).toEqual({ names, asked });
});
