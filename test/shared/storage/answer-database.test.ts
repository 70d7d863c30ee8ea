import { expect, onTestFinished, test, vi } from 'vitest';
import { evictOldAnswers, STORED_ANSWERS } from '../../../src/shared/storage/answer-database.ts';
import { ANSWER_LIMITS } from '../../../src/shared/storage/answers-to-evict.ts';
import type { StoredAnswer } from '../../../src/shared/storage/stored-answer.ts';
import { completionRequest } from '../../support/fakes/completion-request.ts';

const { openDB, databases } = vi.hoisted(() => {
  const stores = new Map<string, Map<string, { readonly id?: string }>>();
  const objectStore = (name: string) => {
    const values = stores.get(name)!;
    return {
      get: async (key: string) => values.get(key),
      getAll: async () => [...values.values()],
      getAllKeys: async () => [...values.keys()],
      put: async (value: { readonly id?: string }, key = value.id!) => void values.set(key, value),
      delete: async (key: string) => void values.delete(key),
    };
  };
  const transaction = () => ({ objectStore, done: Promise.resolve() });
  const databases: { readonly name: string }[] = [];
  const openDB = async (name: string, _: number, { upgrade }: { upgrade(created: object): void }) => {
    databases.push({ name });
    upgrade({ createObjectStore: (store: string) => stores.set(store, new Map()) });
    return {
      transaction,
      get: async (store: string, key: string) => objectStore(store).get(key),
      getAll: async (store: string) => objectStore(store).getAll(),
    };
  };
  return { openDB, databases };
});

vi.mock('idb', () => ({ openDB }));

const DAY = 86_400_000;

test('an answer is gone after its last day, although no other is stored, and no database is made for that', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.stubGlobal('indexedDB', { databases: async () => databases });
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  await evictOldAnswers();
  expect(databases).toEqual([]);

  const created = Date.now() / 1000;
  const answer: StoredAnswer = {
    id: 'chatcmpl-1',
    kind: 'chat.completion',
    keyHash: '',
    created,
    model: 'a',
    metadata: {},
    characters: 1,
    stream: { id: '', fingerprint: '' },
    request: completionRequest('1'),
    detail: null,
  };
  await STORED_ANSWERS.add(answer);
  await STORED_ANSWERS.addLog(answer.id, [{ type: 'begun', created }]);
  for (const [days, left] of [
    [ANSWER_LIMITS.days, 1],
    [ANSWER_LIMITS.days + 1, 0],
  ] as const) {
    vi.setSystemTime(created * 1000 + days * DAY);
    await evictOldAnswers();
    expect(await STORED_ANSWERS.list()).toHaveLength(left);
    expect((await STORED_ANSWERS.log(answer.id))?.length ?? 0).toBe(left);
  }
});
