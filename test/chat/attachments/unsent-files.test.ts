import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { unsentFiles as theFiles } from '../../../src/chat/attachments/unsent-files.ts';

/** Names of the files that the device has, by their ids. */
const stored = new Map<string, string>();
let isFull: boolean;
let writes: number;
let files: typeof theFiles;

vi.mock('../../../src/chat/attachments/store-unsent-files.ts', () => ({
  storeFile: async (_owner: string | null, file: { id: string; name: string }, isNew: boolean) => {
    writes++;
    if (isFull) throw new DOMException('No room left.', 'QuotaExceededError');
    const isKept = isNew || stored.has(file.id);
    if (isKept) stored.set(file.id, file.name);
    return isKept;
  },
  deleteStoredFiles: async (ids: readonly string[]) => ids.forEach((id) => stored.delete(id)),
  watchStoredFiles: () => {},
}));

beforeEach(async () => {
  vi.useFakeTimers();
  vi.spyOn(console, 'info').mockReturnValue();
  stored.clear();
  writes = 0;
  isFull = false;
  vi.resetModules();
  files = (await import('../../../src/chat/attachments/unsent-files.ts')).unsentFiles;
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
  expect([...stored.values()]).toEqual(['a.txt', 'b.txt']);
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
