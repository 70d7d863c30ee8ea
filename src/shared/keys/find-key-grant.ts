import { ApiError } from '../api-error.ts';
import { sha256 } from './sha256.ts';
import type { KeyStore } from '../storage/stored-key.ts';

/** What an accepted key may use. */
export interface KeyGrant {
  /** Name of the key, which unlike the key itself may be logged. */
  readonly name: string;
  /** Ids of the models that the key may use; null means all. */
  readonly models: readonly string[] | null;
}

export interface ConfiguredKey extends KeyGrant {
  readonly key: string;
}

export interface HashedKey extends KeyGrant {
  /** Lower-case hex SHA-256 of the key. */
  readonly hash: string;
}

const UNREADABLE =
  'This API key does not come with the site, and the keys that were made on this device cannot be read.';

/**
 * Looks up what a bearer token may use; null if it is not accepted. Compares hashes instead of keys, so that the time
 * of the comparison reveals nothing about a key.
 * @param configured The site's keys, which are accepted without the database.
 * @param open Opens the database of the keys that the user created.
 * @throws ApiError `invalid_api_key` if the database cannot be read.
 */
export async function findKeyGrant(
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
