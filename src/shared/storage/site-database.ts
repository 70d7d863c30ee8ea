import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { closeWhenBlocking, DatabaseConnection } from './database-connection.ts';
import type { StoredKey } from '../keys/stored-key.ts';
import type { ModelEntry } from '../models/model-entry.ts';
import type { StoredDownload } from '../models/model-management.ts';
import type { RequestRecord } from './request-record.ts';

/** What a model library lets a prompt cache do: nothing, keep what a prompt begins with, or also save and restore it. */
export type CacheAbility = 'none' | 'prefix' | 'checkpoints';

interface TabserveSchema extends DBSchema {
  keys: { key: string; value: StoredKey };
  /** Models on this device beside the built-in one. */
  models: { key: string; value: ModelEntry };
  /** Downloads that have begun and not ended; a closed page leaves them here, paused. */
  downloads: { key: string; value: StoredDownload };
  /** The developers' request log, oldest first. */
  requests: { key: number; value: RequestRecord };
  /**
   * `record-content`: true while the request log may keep questions and answers. `prompt-cache …`, by the hash of a model
   * library and the name of a graphics device: what they can do.
   */
  settings: { key: 'record-content' | `prompt-cache ${string}`; value: boolean | CacheAbility };
}

export type TabserveDatabase = IDBPDatabase<TabserveSchema>;

const connection = new DatabaseConnection<TabserveDatabase>(connect);

/**
 * The database every context shares: what must outlive any worker, and nothing else. Ask for it anew for each
 * piece of work, since it is closed whenever a newer build or a deletion needs it to be.
 * @throws ApiError `storage_unavailable` where the browser does not open it, after three seconds at most.
 */
export function openSiteDatabase(): Promise<TabserveDatabase> {
  return connection.open();
}

function connect(closed: () => void): Promise<TabserveDatabase> {
  return openDB<TabserveSchema>('tabserve', 1, {
    upgrade(database) {
      database.createObjectStore('keys', { keyPath: 'hash' });
      database.createObjectStore('models', { keyPath: 'id' });
      database.createObjectStore('downloads', { keyPath: 'id' });
      database.createObjectStore('requests', { autoIncrement: true });
      database.createObjectStore('settings');
    },
    ...closeWhenBlocking(closed),
  });
}
