import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { closeWhenBlocking, DatabaseConnection } from '../storage/database-connection.ts';

/** The user's word that requests may be sent to an origin. */
export interface UpstreamPermission {
  readonly origin: string;
  /** Milliseconds since 1970. */
  readonly granted: number;
  /** The key that the user typed; null where there is none. */
  readonly key: string | null;
}

/** A key as it is stored: not readable in the database, but only through `secret`, which no script can export. */
interface SealedKey {
  readonly secret: CryptoKey;
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly sealed: ArrayBuffer;
}

/** A request that was sent to an upstream. */
export interface SentRequest {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Name of the upstream. */
  readonly upstream: string;
  readonly method: string;
  readonly address: string;
  /** Of the body that was sent. */
  readonly bytes: number;
}

interface UpstreamSchema extends DBSchema {
  permissions: { key: string; value: { origin: string; granted: number; key: SealedKey | null } };
  /** Oldest first. */
  requests: { key: number; value: SentRequest };
}

/** Sent requests that are remembered; the oldest goes when another comes. */
const MAX_SENT_REQUESTS = 1000;

/** What of this database has changed. */
export type UpstreamChange = 'permissions' | 'requests';

/** Name of the BroadcastChannel that carries each {@link UpstreamChange} to the pages. */
export const UPSTREAM_CHANNEL = 'tabserve/upstreams';

/** Beside the site's other databases, for the same reason as that of stored answers. */
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
 * Null where the user has not agreed, or has taken it back.
 * @throws ApiError `storage_unavailable`.
 */
export async function findUpstreamPermission(origin: string): Promise<UpstreamPermission | null> {
  const stored = await (await connection.open()).get('permissions', origin);
  return stored ? { ...stored, key: stored.key && (await unseal(stored.key)) } : null;
}

/**
 * Without the keys: no page needs them.
 * @throws ApiError `storage_unavailable`.
 */
export async function listUpstreamPermissions(): Promise<
  readonly { readonly origin: string; readonly hasKey: boolean }[]
> {
  const all = await (await connection.open()).getAll('permissions');
  return all.map(({ origin, key }) => ({ origin, hasKey: key !== null }));
}

/** @throws ApiError `storage_unavailable`. */
export async function setUpstreamPermission({ origin, granted, key }: UpstreamPermission): Promise<void> {
  // Before the database is opened: a transaction does not wait for anything else.
  const sealed = key === null ? null : await seal(key);
  await (await connection.open()).put('permissions', { origin, granted, key: sealed });
  tell('permissions');
}

/**
 * Forgets its key, too.
 * @throws ApiError `storage_unavailable`.
 */
export async function deleteUpstreamPermission(origin: string): Promise<void> {
  await (await connection.open()).delete('permissions', origin);
  tell('permissions');
}

/**
 * Called before a request is sent: none leaves that is not listed.
 * @throws ApiError `storage_unavailable`.
 */
export async function addSentRequest(request: SentRequest): Promise<void> {
  const { store, done } = (await connection.open()).transaction('requests', 'readwrite');
  await store.add(request);
  const surplus = (await store.count()) - MAX_SENT_REQUESTS;
  const [oldest] = surplus > 0 ? await store.getAllKeys(null, 1) : [];
  if (oldest !== undefined) await store.delete(oldest);
  await done;
  tell('requests');
}

/**
 * Newest first.
 * @throws ApiError `storage_unavailable`.
 */
export async function listSentRequests(): Promise<readonly SentRequest[]> {
  return (await (await connection.open()).getAll('requests')).toReversed();
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

function tell(change: UpstreamChange): void {
  const channel = new BroadcastChannel(UPSTREAM_CHANNEL);
  channel.postMessage(change);
  channel.close();
}
