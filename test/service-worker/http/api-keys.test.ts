import { expect, test, vi } from 'vitest';
import { createApiKeys } from '../../../src/shared/keys/api-keys.ts';
import type { KeyStore, StoredKey } from '../../../src/shared/storage/stored-key.ts';

/** The `keys` store of the database, as one origin's contexts share it. */
function createKeyStore() {
  const rows = new Map<string, StoredKey>();
  const connect = async (): Promise<KeyStore> => {
    return {
      put: async (_store: 'keys', key: StoredKey) => void rows.set(key.hash, structuredClone(key)),
      get: async (_store: 'keys', hash: string) => rows.get(hash),
      getAll: async (_store: 'keys') => [...rows.values()],
      delete: async (_store: 'keys', hash: string) => void rows.delete(hash),
    };
  };
  return { connect, rows };
}

test('a fresh installation accepts the key "local" for every model, and no other', async () => {
  const keys = createApiKeys(undefined, createKeyStore().connect);
  expect(await keys.find('local')).toEqual({ name: 'local', models: null });
  expect(await keys.find('Local')).toBeNull();
  expect(await keys.list()).toEqual([]);
});

test('configured keys replace the default', async () => {
  const keys = createApiKeys([{ key: 'house', name: 'House', models: ['a'] }], createKeyStore().connect);
  expect(await keys.find('house')).toEqual({ name: 'House', models: ['a'] });
  expect(await keys.find('local')).toBeNull();
});

test.each([
  ['the key', 'house of cards'],
  ['all but its last letter', 'house of card_'],
  ['all but its first letter', '_ouse of cards'],
  ['its beginning', 'house'],
  ['no part of it', 'x'],
])('a guess that holds %s is compared as a hash, in equal steps', async (_name, guess) => {
  const keys = createApiKeys([{ key: 'house of cards', name: 'House', models: null }], createKeyStore().connect);
  // The first lookup also waits for the hash of the configured key.
  await keys.find('a guess');
  const digest = vi.spyOn(crypto.subtle, 'digest');
  const found = await keys.find(guess);
  const digested = digest.mock.calls.map(([, data]) => new TextDecoder().decode(data as Uint8Array));
  digest.mockRestore();
  expect(digested).toEqual([guess]);
  expect(found?.name).toBe(guess === 'house of cards' ? 'House' : undefined);
});

test('a key is random, shown once, and stored only as its hash', async () => {
  const store = createKeyStore();
  const keys = createApiKeys([], store.connect);
  const { key, stored } = await keys.create('Notes', ['pocket']);
  expect(key).toMatch(/^ts-[0-9a-f]{48}$/);
  expect(stored).toMatchObject({
    name: 'Notes',
    models: ['pocket'],
    prefix: key.slice(0, 7),
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(JSON.stringify([...store.rows])).not.toContain(key.slice(3));
  expect(await keys.find(key)).toEqual({ name: 'Notes', models: ['pocket'] });
  expect((await keys.create('More', null)).key).not.toBe(key);
});

test('a new key works in every context at once, and so does revoking it', async () => {
  const store = createKeyStore();
  const [page, worker] = [createApiKeys([], store.connect), createApiKeys([], store.connect)];
  const { key, stored } = await page.create('Notes', null);
  expect(await worker.find(key)).toEqual({ name: 'Notes', models: null });
  await page.revoke(stored.hash);
  expect(await worker.find(key)).toBeNull();
  await page.revoke(stored.hash);
});

function storedKey(name: string, created: number): StoredKey {
  return { hash: name, name, prefix: 'ts-', models: null, created };
}

test('keys are listed in the order they were made', async () => {
  const store = createKeyStore();
  for (const row of [storedKey('second', 2), storedKey('first', 1), storedKey('third', 3)])
    store.rows.set(row.hash, row);
  expect((await createApiKeys([], store.connect).list()).map(({ name }) => name)).toEqual(['first', 'second', 'third']);
});
