import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { StoredFile } from '../../../src/chat/attachments/store-unsent-files.ts';
import { appStrings } from '../../../src/chat/strings/app-strings.ts';
import type { unsentFiles as theFiles } from '../../../src/chat/attachments/unsent-files.ts';

/** Files that the device has, by their ids. */
const stored = new Map<string, Omit<StoredFile, 'owner'>>();
/** Ends the reading of a file with its text. */
let endReading: (text: string) => void;
/** Ends the reading of a file with a problem. */
let failReading: (words: string) => void;
let isFull: boolean;
let writes: number;
let files: typeof theFiles;

vi.mock('../../../src/chat/attachments/store-unsent-files.ts', () => ({
  storeFile: async (_owner: string | null, file: Omit<StoredFile, 'owner'>, isNew: boolean) => {
    writes++;
    if (isFull) throw new DOMException('No room left.', 'QuotaExceededError');
    const isKept = isNew || stored.has(file.id);
    if (isKept) stored.set(file.id, file);
    return isKept;
  },
  deleteStoredFiles: async (ids: readonly string[]) => ids.forEach((id) => stored.delete(id)),
  storedFiles: async () => [...stored.values()],
  watchStoredFiles: () => {},
}));

vi.mock('../../../src/chat/attachments/read-attachment.ts', async (original) => ({
  ...(await original<object>()),
  readAttachment: ({ name, size }: File) =>
    new Promise((resolve, reject) => {
      failReading = (words) => reject(new Error(words));
      endReading = (text) => resolve({ attachment: { id: 'read', name, size, kind: 'text', part: 'whole', text } });
    }),
}));

/** Loads the page anew: what it had in memory is gone. */
async function loadPage(): Promise<void> {
  vi.resetModules();
  files = (await import('../../../src/chat/attachments/unsent-files.ts')).unsentFiles;
}

beforeEach(async () => {
  vi.useFakeTimers();
  vi.spyOn(console, 'info').mockReturnValue();
  stored.clear();
  writes = 0;
  isFull = false;
  await loadPage();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Adds a text as a file. Settles when it is stored or cannot be. */
async function add(name: string): Promise<void> {
  files.addText('chat', name, 'The dog is called Rex.');
  await vi.advanceTimersByTimeAsync(0);
}

const unkept = (): readonly string[] =>
  files.of('chat').flatMap(({ name, isUnkept }) => (isUnkept === true ? [name] : []));

test('a file that finds no room is marked, and stored as soon as there is room', async () => {
  isFull = true;
  await add('a.txt');
  await add('b.txt');
  await vi.advanceTimersByTimeAsync(20_000);
  expect(unkept()).toEqual(['a.txt', 'b.txt']);
  isFull = false;
  await vi.advanceTimersByTimeAsync(3000);
  expect([...stored.values()].map(({ name }) => name)).toEqual(['a.txt', 'b.txt']);
  expect(unkept()).toEqual([]);
});

test('a file without room that is removed or sent is not written again', async () => {
  isFull = true;
  await add('removed.txt');
  await add('sent.txt');
  const [removed, sent] = files.of('chat');
  await files.set('chat', [sent!]);
  files.take('chat', new Set([sent!.id]));
  isFull = false;
  writes = 0;
  await vi.advanceTimersByTimeAsync(20_000);
  expect([removed!.name, writes, stored.size]).toEqual(['removed.txt', 0, 0]);
});

test('files whose question could not be stored are whole in the tray again, and still stored', async () => {
  await add('a.txt');
  await add('b.txt');
  const before = files.of('chat');
  const end = files.take('chat', new Set([before[0]!.id]));
  expect(files.of('chat').map(({ name }) => name)).toEqual(['b.txt']);
  end(false);
  expect(files.of('chat')).toEqual(before);
  await vi.advanceTimersByTimeAsync(20_000);
  expect([...stored.values()].map(({ name }) => name)).toEqual(['a.txt', 'b.txt']);
});

test('files that were sent are stored no more', async () => {
  await add('a.txt');
  const end = files.take('chat', new Set(files.of('chat').map(({ id }) => id)));
  end(true);
  await vi.advanceTimersByTimeAsync(0);
  expect([files.of('chat'), stored.size]).toEqual([[], 0]);
});

test('a file without room whose question could not be stored is stored when there is room', async () => {
  isFull = true;
  await add('a.txt');
  const end = files.take('chat', new Set(files.of('chat').map(({ id }) => id)));
  await vi.advanceTimersByTimeAsync(20_000);
  end(false);
  isFull = false;
  await vi.advanceTimersByTimeAsync(20_000);
  expect([unkept(), stored.size]).toEqual([[], 1]);
});

test.each([
  ['is read', () => endReading('Rex')],
  ['has failed', () => failReading('Too slow.')],
  ['is removed', () => void files.clear('chat')],
])('the files of a chat are read once its last one %s, whatever another chat reads', async (_what, end) => {
  const ended: string[] = [];
  await add('a.txt');
  files.add('chat', [new File(['x'], 'b.pdf')]);
  files.add('other', [new File(['x'], 'c.pdf')]);
  void files.read('third').then(() => ended.push('third'));
  void files.read('chat').then(() => ended.push('chat'));
  void files.read('other').then(() => ended.push('other'));
  await vi.advanceTimersByTimeAsync(0);
  expect(ended).toEqual(['third']);
  end();
  await vi.advanceTimersByTimeAsync(0);
  expect(ended).toEqual(['third', 'chat']);
});

test('the files that a question waits for are read before those that another chat has added earlier', async () => {
  files.add('other', [new File(['x'], 'read.pdf'), new File(['x'], 'large.pdf')]);
  files.add('chat', [new File(['x'], 'a.txt'), new File(['x'], 'b.txt')]);
  await vi.advanceTimersByTimeAsync(0);
  void files.read('chat');
  files.add('chat', [new File(['x'], 'late.txt')]);
  await vi.advanceTimersByTimeAsync(0);
  const read = () => [...files.of('other'), ...files.of('chat')].flatMap(({ attachment }) => attachment?.name ?? []);
  const orders: (readonly string[])[] = [];
  for (let order = 1; order <= 5; order++) {
    endReading('Rex');
    await vi.advanceTimersByTimeAsync(0);
    orders.push(read());
  }
  expect(orders).toEqual([
    ['read.pdf'],
    ['read.pdf', 'a.txt'],
    ['read.pdf', 'a.txt', 'b.txt'],
    ['read.pdf', 'a.txt', 'b.txt', 'late.txt'],
    ['read.pdf', 'large.pdf', 'a.txt', 'b.txt', 'late.txt'],
  ]);
});

test('a stored file whose change finds no room is not stored again after another tab has deleted it', async () => {
  await add('a.txt');
  isFull = true;
  files.change(files.of('chat')[0]!.id, { part: 'beginning' });
  await vi.advanceTimersByTimeAsync(0);
  stored.clear();
  isFull = false;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(stored.size).toBe(0);
});

test('a file is stored before it is read, and read by the next page if this one ends before', async () => {
  const source = new File(['The dog is called Rex.'], 'a.txt');
  files.add('chat', [source]);
  await vi.advanceTimersByTimeAsync(0);
  expect([...stored.values()]).toMatchObject([{ name: 'a.txt', source }]);
  await loadPage();
  await files.open('chat');
  await vi.advanceTimersByTimeAsync(0);
  expect(files.of('chat')[0]!.problem).toBeUndefined();
  endReading('The dog is called Rex.');
  await vi.advanceTimersByTimeAsync(0);
  expect([...stored.values()]).toMatchObject([{ attachment: { text: 'The dog is called Rex.' } }]);
  expect([...stored.values()][0]).not.toHaveProperty('source');
});

test('a file whose reader cannot be loaded is read by a later page, however many could not load it either', async () => {
  files.add('chat', [new File(['The dog is called Rex.'], 'a.txt')]);
  for (let page = 1; page <= 5; page++) {
    await vi.advanceTimersByTimeAsync(0);
    failReading(appStrings.partFailed);
    await vi.advanceTimersByTimeAsync(0);
    expect(files.of('chat')).toMatchObject([{ problem: appStrings.partFailed }]);
    // The choice is stored, too.
    files.change(files.of('chat')[0]!.id, { part: 'beginning' });
    await loadPage();
    await files.open('chat');
  }
  await vi.advanceTimersByTimeAsync(0);
  endReading('The dog is called Rex.');
  await vi.advanceTimersByTimeAsync(0);
  expect(files.of('chat')).toMatchObject([{ part: 'beginning', attachment: { text: 'The dog is called Rex.' } }]);
  expect(files.of('chat')[0]).not.toHaveProperty('problem');
  expect([...stored.values()][0]).not.toHaveProperty('source');
});

test('a file whose reader could not be loaded is read when the deletion of its chat is undone', async () => {
  files.add('chat', [new File(['The dog is called Rex.'], 'a.txt')]);
  await vi.advanceTimersByTimeAsync(0);
  failReading(appStrings.partFailed);
  await vi.advanceTimersByTimeAsync(0);
  const before = files.of('chat');
  await files.clear('chat');
  await files.bringBack('chat', before);
  await vi.advanceTimersByTimeAsync(0);
  endReading('The dog is called Rex.');
  await vi.advanceTimersByTimeAsync(0);
  expect([...stored.values()]).toMatchObject([{ attachment: { text: 'The dog is called Rex.' } }]);
});

test('a file that cannot be read for good is stored by its name, with the reason', async () => {
  files.add('chat', [new File(['Secret.'], 'a.pdf')]);
  await vi.advanceTimersByTimeAsync(0);
  failReading('It is locked.');
  await vi.advanceTimersByTimeAsync(0);
  expect([...stored.values()][0]).not.toHaveProperty('source');
  await loadPage();
  await files.open('chat');
  expect(files.of('chat')).toMatchObject([{ name: 'a.pdf', problem: 'It is locked.' }]);
});

test('a file with which three pages have ended is not read a fourth time', async () => {
  files.add('chat', [new File(['Too much.'], 'a.txt')]);
  const problems: boolean[] = [];
  for (let page = 2; page <= 4; page++) {
    await vi.advanceTimersByTimeAsync(0);
    await loadPage();
    await files.open('chat');
    problems.push(files.of('chat')[0]!.problem !== undefined);
  }
  expect(problems).toEqual([false, false, true]);
});

test('files that wait for one with which three pages have ended are read', async () => {
  files.add('chat', [new File(['Too much.'], 'a.txt'), new File(['The dog is called Rex.'], 'b.txt')]);
  for (let page = 2; page <= 4; page++) {
    await vi.advanceTimersByTimeAsync(0);
    await loadPage();
    await files.open('chat');
  }
  await vi.advanceTimersByTimeAsync(0);
  endReading('The dog is called Rex.');
  await vi.advanceTimersByTimeAsync(0);
  const read = files.of('chat').map(({ name, problem, attachment }) => [name, problem !== undefined, attachment?.name]);
  expect(read).toEqual([
    ['a.txt', true, undefined],
    ['b.txt', false, 'b.txt'],
  ]);
});

test('a file that is too large to be read as a whole is stored by its name only', async () => {
  const large = new File([], 'large.txt');
  Object.defineProperty(large, 'size', { value: 60_000_000 });
  files.add('chat', [large]);
  await vi.advanceTimersByTimeAsync(0);
  expect([...stored.values()][0]).toMatchObject({ name: 'large.txt' });
  expect([...stored.values()][0]).not.toHaveProperty('source');
});
