import { afterEach, expect, test, vi } from 'vitest';
import type { Tabserve } from '../../../src/page/index.ts';
import { deleteEverything } from '../../../src/chat/privacy/delete-everything.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test.each([
  ['a database that a frozen tab keeps', 'blocked', 'none'],
  ['a database that cannot be deleted', 'error', 'none'],
  ['a file that is in use', 'success', 'used'],
  ['a file system that cannot be listed', 'success', 'list'],
  ['a database that cannot be deleted, beside files that cannot be listed', 'error', 'list'],
] as const)('%s keeps nothing else from being deleted, and is told', async (_, outcome, kept) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const databases = new Set(['first', 'kept', 'last']);
  const files = new Set(['first', 'used', 'last']);
  const caching = new Set(['models', 'partial']);
  vi.stubGlobal('localStorage', { clear: () => {} });
  vi.stubGlobal('sessionStorage', { clear: () => {} });
  vi.stubGlobal('indexedDB', {
    databases: async () => [...databases].map((name) => ({ name })),
    deleteDatabase(name: string) {
      const request = new EventTarget();
      const event = name === 'kept' ? outcome : 'success';
      queueMicrotask(() => request.dispatchEvent(new Event(event)));
      if (event === 'success') databases.delete(name);
      return request;
    },
  });
  vi.stubGlobal('caches', { keys: async () => [...caching], delete: async (name: string) => caching.delete(name) });
  vi.stubGlobal('navigator', {
    language: 'en',
    storage: {
      getDirectory: async () => ({
        keys() {
          if (kept === 'list') throw new DOMException('The files are locked.', 'InvalidStateError');
          return files.values();
        },
        async removeEntry(name: string) {
          if (name === kept) throw new DOMException('It is locked.', 'NoModificationAllowedError');
          files.delete(name);
        },
      }),
    },
  });
  const dispose = vi.fn<() => void>();
  const told = deleteEverything({ dispose } as unknown as Tabserve).then(
    () => 'Everything is deleted.',
    (thrown: unknown) => String(thrown),
  );
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await told).toContain(outcome === 'success' ? 'locked' : 'kept');
  expect([[...databases], [...files], [...caching]]).toEqual([
    outcome === 'success' ? [] : ['kept'],
    { none: [], used: ['used'], list: ['first', 'used', 'last'] }[kept],
    [],
  ]);
  expect(dispose).toHaveBeenCalled();
});
