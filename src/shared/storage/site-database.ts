import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { closeWhenBlocking, DatabaseConnection } from './database-connection.ts';
import type { StoredKey } from './stored-key.ts';
import type { ModelEntry } from '../models/model-entry.ts';
import type { ModelSource, StoredDownload } from '../models/model-management.ts';
import type { HubModel } from '../models/hub-model.ts';
import type { RequestRecord } from './request-record.ts';

/**
 * What the compiled library (`.wasm`) of a WebLLM model supports: `none`: no prompt cache; `prefix`: reuse of a cached
 * prefix; `checkpoints`: also snapshots of the KV cache; `unchecked`: unknown, because the check took too long.
 */
export type CacheAbility = 'none' | 'unchecked' | 'prefix' | 'checkpoints';

/** A successful check of a model on a graphics device. */
export interface GpuCheck {
  /** Everything that the result depends on: device, browser, versions, file. */
  readonly subject: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

interface TabserveSchema extends DBSchema {
  keys: { key: string; value: StoredKey };
  /** Models that the user downloaded. */
  models: { key: string; value: ModelEntry };
  /** Unfinished downloads. */
  downloads: { key: string; value: StoredDownload };
  /** The request log, oldest first. */
  requests: { key: number; value: RequestRecord };
  /**
   * Settings by key. `record-content`: whether the request log may contain prompts and completions. `kv-cache-check …`,
   * followed by the hash of a model library and the name of a GPU: the {@link CacheAbility} of the two. `context-window
   * …`, `parallel …` and `keep-alive …`, followed by a model's id: what the user has set, see `ModelSettings`. `gpu-check …`, followed by a model's id: the
   * {@link GpuCheck} of llama.cpp. `deletion …`, followed by addresses: where files came from that are being deleted. `site-models …`, followed by the root address of a site: where files of its own models have come from. `browser-model`: the context window of the
   * browser's own model; absent if it has none. `hub-models`: the models of the hub that answers this site's requests; absent
   * if none does.
   */
  settings: {
    key:
      | 'record-content'
      | 'browser-model'
      | 'hub-models'
      | `kv-cache-check ${string}`
      | `context-window ${string}`
      | `parallel ${string}`
      | `keep-alive ${string}`
      | `gpu-check ${string}`
      | `deletion ${string}`
      | `site-models ${string}`;
    value: boolean | CacheAbility | GpuCheck | ModelSource | readonly ModelSource[] | number | readonly HubModel[];
  };
}

export type TabserveDatabase = IDBPDatabase<TabserveSchema>;

const connection = new DatabaseConnection<TabserveDatabase>(connect);

/**
 * Opens the database that all contexts of the site share. Call it for each transaction: the connection is closed when a
 * newer build or a deletion requires it.
 * @throws ApiError `storage_unavailable` if the database cannot be opened, after three seconds at the latest.
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
