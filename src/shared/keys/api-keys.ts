import { findKeyGrant, type ConfiguredKey, type HashedKey, type KeyGrant } from './find-key-grant.ts';
import type { KeyStore, StoredKey } from '../storage/stored-key.ts';
import { sha256, toHex } from './sha256.ts';
import { openSiteDatabase } from '../storage/site-database.ts';

/** The key that a site accepts if it configures no keys. It may use every model. */
const DEFAULT_KEYS: readonly ConfiguredKey[] = [{ key: 'local', name: 'local', models: null }];

export interface NewKey {
  /** The key itself. Only its hash is stored, so it cannot be shown again. */
  readonly key: string;
  readonly stored: StoredKey;
}

export interface ApiKeys {
  /**
   * Creates a random key.
   * @param name The user's name for it.
   * @param models Ids of the models that the key may use; null means all.
   */
  create(name: string, models: readonly string[] | null): Promise<NewKey>;
  /** The keys that the user created, oldest first. */
  list(): Promise<StoredKey[]>;
  /** Revokes a key; every tab and worker refuses it from then on. An unknown hash is no error. */
  revoke(hash: string): Promise<void>;
  /** Looks up what a bearer token may use; null if it is not accepted. */
  find(token: string): Promise<KeyGrant | null>;
}

/**
 * Combines the site's keys with those that the user created. The user's keys are read from the database at each call,
 * so that after one tab revokes a key, the next request in any tab is refused.
 *
 * @param configured Keys of the site. Default: the key `local`, which may use every model.
 * @param open Opens the database.
 */
export function createApiKeys(
  configured: readonly ConfiguredKey[] = DEFAULT_KEYS,
  open: () => Promise<KeyStore> = openSiteDatabase,
): ApiKeys {
  let hashed: Promise<readonly HashedKey[]> | undefined;
  return {
    async create(name, models) {
      const key = `ts-${toHex(crypto.getRandomValues(new Uint8Array(24)))}`;
      const stored: StoredKey = { hash: await sha256(key), name, prefix: key.slice(0, 7), models, created: Date.now() };
      await (await open()).put('keys', stored);
      return { key, stored };
    },

    async list() {
      const keys = await (await open()).getAll('keys');
      return keys.toSorted((one, other) => one.created - other.created);
    },

    async revoke(hash) {
      await (await open()).delete('keys', hash);
    },

    find: async (token) => findKeyGrant(token, await (hashed ??= Promise.all(configured.map(withHash))), open),
  };
}

async function withHash({ key, name, models }: ConfiguredKey): Promise<HashedKey> {
  return { hash: await sha256(key), name, models };
}
