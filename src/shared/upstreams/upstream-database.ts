import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { closeWhenBlocking, DatabaseConnection } from '../storage/database-connection.ts';
import type { SentRequest } from './sent-request.ts';
import { announceUpstreamChange } from './watch-upstreams.ts';

/** The user's permission to send requests to an origin. */
export interface UpstreamPermission {
  readonly origin: string;
  /** Milliseconds since 1970. */
  readonly granted: number;
  /** The API key that the user entered; null if the user entered none. */
  readonly key: string | null;
}

/** An encrypted API key. `secret` is a non-extractable CryptoKey, so the database holds no plain text. */
interface SealedKey {
  readonly secret: CryptoKey;
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly sealed: ArrayBuffer;
}

interface UpstreamSchema extends DBSchema {
  permissions: { key: string; value: { origin: string; granted: number; key: SealedKey | null } };
  /** Oldest first. */
  requests: { key: number; value: SentRequest };
}

/** Limit of recorded requests; the oldest are evicted. */
const MAX_SENT_REQUESTS = 1000;

/** Upstreams have their own database, so that pages of older builds can still open the site's database. */
const connection = new DatabaseConnection<IDBPDatabase<UpstreamSchema>>((closed) =>
  openDB<UpstreamSchema>('tabserve-upstreams', 1, {
    upgrade(database) {
      database.createObjectStore('permissions', { keyPath: 'origin' });
      database.createObjectStore('requests', { autoIncrement: true });
    },
    ...closeWhenBlocking(closed),
  }),
);

/**
 * Finds the user's permission for an origin.
 * @returns null if the user has not granted permission, or has revoked it.
 * @throws ApiError `storage_unavailable` if the database fails.
 */
export async function findUpstreamPermission(origin: string): Promise<UpstreamPermission | null> {
  const stored = await connection.use((database) => database.get('permissions', origin));
  return stored ? { ...stored, key: stored.key && (await unseal(stored.key)) } : null;
}

/**
 * Lists permissions without their keys, which no page needs.
 * @throws ApiError `storage_unavailable` if the database fails.
 */
export async function listUpstreamPermissions(): Promise<
  readonly { readonly origin: string; readonly hasKey: boolean }[]
> {
  const all = await connection.use((database) => database.getAll('permissions'));
  return all.map(({ origin, key }) => ({ origin, hasKey: key !== null }));
}

/**
 * Stores a permission, with its key encrypted.
 * @throws ApiError `storage_unavailable` if the database fails.
 */
export async function setUpstreamPermission({ origin, granted, key }: UpstreamPermission): Promise<void> {
  // Encrypted before the transaction begins, because an IndexedDB transaction commits during any other await.
  const sealed = key === null ? null : await seal(key);
  await connection.use((database) => database.put('permissions', { origin, granted, key: sealed }));
  announceUpstreamChange('permissions');
}

/**
 * Deletes a permission and its key.
 * @throws ApiError `storage_unavailable` if the database fails.
 */
export async function deleteUpstreamPermission(origin: string): Promise<void> {
  await connection.use((database) => database.delete('permissions', origin));
  announceUpstreamChange('permissions');
}

/**
 * Records a request. Call it before the request is sent, so that every request that leaves the device is listed.
 * @throws ApiError `storage_unavailable` if the database fails.
 */
export async function addSentRequest(request: SentRequest): Promise<void> {
  await connection.use(async (database) => {
    const { store, done } = database.transaction('requests', 'readwrite');
    const recorded = async () => {
      await store.add(request);
      const excess = (await store.count()) - MAX_SENT_REQUESTS;
      const [oldest] = excess > 0 ? await store.getAllKeys(null, 1) : [];
      if (oldest !== undefined) await store.delete(oldest);
    };
    await Promise.all([recorded(), done]);
  });
  announceUpstreamChange('requests');
}

/**
 * Lists the recorded requests, newest first.
 * @throws ApiError `storage_unavailable` if the database fails.
 */
export async function listSentRequests(): Promise<readonly SentRequest[]> {
  return (await connection.use((database) => database.getAll('requests'))).toReversed();
}

const CIPHER = 'AES-GCM';

async function seal(key: string): Promise<SealedKey> {
  const secret = await crypto.subtle.generateKey({ name: CIPHER, length: 256 }, false, ['encrypt', 'decrypt']);
  const iv = crypto.getRandomValues(new Uint8Array(12));
  return {
    secret,
    iv,
    sealed: await crypto.subtle.encrypt({ name: CIPHER, iv }, secret, new TextEncoder().encode(key)),
  };
}

async function unseal({ secret, iv, sealed }: SealedKey): Promise<string> {
  return new TextDecoder().decode(await crypto.subtle.decrypt({ name: CIPHER, iv }, secret, sealed));
}
