import { ApiError } from '../api-error.ts';
import { sha256 } from './sha256.ts';
import type { KeyStore } from './stored-key.ts';

/** What an accepted key allows. */
export interface KeyGrant {
  /** What the key is called; fit for a log, unlike the key. */
  readonly name: string;
  /** Ids of the models the key may use; null means all. */
  readonly models: readonly string[] | null;
}

/** A key that comes with the site's configuration instead of from the user. */
export interface ConfiguredKey extends KeyGrant {
  readonly key: string;
}

/** What a key with this hash allows. */
export interface HashedKey extends KeyGrant {
  readonly hash: string;
}

const UNREADABLE =
  'This API key does not come with the site, and the keys that were made on this device cannot be read.';

/**
 * What a bearer token allows, or null when it is not accepted. Hashes are compared, never keys: how long that takes
 * tells nobody how much of a guess was right.
 * @param configured The keys that come with the site.
 * @param open How to reach the database, which holds the hashes of the keys that the user made. A configured key needs none.
 * @throws ApiError `invalid_api_key` where the database cannot be read: who may be refused, is.
 */
export async function checkApiKey(
  token: string,
  configured: readonly HashedKey[],
  open: () => Promise<KeyStore>,
): Promise<KeyGrant | null> {
  const hash = await sha256(token);
  const inDatabase = () =>
    open()
      .then((store) => store.get('keys', hash))
      .catch((thrown: unknown) => {
        const why = thrown instanceof ApiError ? ` ${thrown.message}` : '';
        throw new ApiError('invalid_api_key', UNREADABLE + why, { cause: thrown });
      });
  const found = configured.find((key) => key.hash === hash) ?? (await inDatabase());
  return found === undefined ? null : { name: found.name, models: found.models };
}
