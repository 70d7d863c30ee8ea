import { checkApiKey, type ConfiguredKey, type HashedKey, type KeyGrant } from './check-api-key.ts';
import type { KeyStore, StoredKey } from './stored-key.ts';
import { sha256, toHex } from './sha256.ts';
import { openSiteDatabase } from '../storage/site-database.ts';

/** The key of a fresh installation: every model, for everything on this origin. */
const DEFAULT_KEYS: readonly ConfiguredKey[] = [{ key: 'local', name: 'local', models: null }];

export interface NewKey {
  /** The key itself. It is stored nowhere, so this is the only time anyone sees it. */
  readonly key: string;
  readonly stored: StoredKey;
}

export interface ApiKeys {
  /**
   * Makes a random key.
   * @param name What the user calls it.
   * @param models Ids the key may use; null means all.
   */
  create(name: string, models: readonly string[] | null): Promise<NewKey>;
  /** The keys made by the user, oldest first. */
  list(): Promise<StoredKey[]>;
  /** Ends a key for every tab and worker at once; an unknown hash is no error. */
  revoke(hash: string): Promise<void>;
  /** What a bearer token allows, or null when it is not accepted. */
  find(token: string): Promise<KeyGrant | null>;
}

/**
 * Bearer keys: the configured ones and those the user made. Of these nothing is remembered between calls: the
 * database is the truth, so a key revoked in one tab is refused by the very next request of another.
 *
 * @param configured Default: {@link DEFAULT_KEYS}.
 * @param open How to reach the database.
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

    find: async (token) => checkApiKey(token, await (hashed ??= Promise.all(configured.map(withHash))), open),
  };
}

async function withHash({ key, name, models }: ConfiguredKey): Promise<HashedKey> {
  return { hash: await sha256(key), name, models };
}
