import { afterEach, expect, test, vi } from 'vitest';
import { deleteCollection } from '../../../src/chat/api/collections.ts';

afterEach(() => vi.unstubAllGlobals());

const absent = () => Response.json({ error: { code: 'file_not_found', message: 'Gone.' } }, { status: 404 });

/**
 * An endpoint with one collection.
 * @param lists The files that it lists, for each time it is asked; null if the collection is gone.
 * @param gone Files that another tab has deleted since.
 * @returns What is deleted.
 */
function endpoint(lists: readonly (readonly string[] | null)[], gone: readonly string[] = []): readonly string[] {
  const deleted: string[] = [];
  let listed = 0;
  vi.stubGlobal('fetch', async (path: string, { method = 'GET' }: RequestInit) => {
    if (method === 'DELETE') {
      deleted.push(path);
      return gone.some((id) => path === `/v1/files/${id}`) || lists.at(-1) === null ? absent() : Response.json({});
    }
    const ids = lists[Math.min(listed, lists.length - 1)]!;
    listed += 1;
    return ids === null ? absent() : Response.json({ data: ids.map((id) => ({ id })), has_more: false });
  });
  return deleted;
}

test.each([
  ['with its files', [['a', 'b'], []], [], ['files/a', 'files/b']],
  ['with files that another tab adds meanwhile', [['a'], ['b'], []], [], ['files/a', 'files/b']],
  ['of which another tab has removed a file', [['a', 'b'], []], ['a'], ['files/a', 'files/b']],
  ['that goes on listing a file that has expired', [['a', 'b'], ['a']], ['a'], ['files/a', 'files/b']],
  ['that another tab has deleted', [null], [], []],
] as const)('a collection %s is deleted', async (_, lists, gone, files) => {
  const deleted = endpoint(lists, gone);
  await deleteCollection('vs_1', new AbortController().signal);
  expect(deleted).toEqual([...files, 'vector_stores/vs_1'].map((path) => `/v1/${path}`));
});
