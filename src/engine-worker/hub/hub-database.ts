import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { HubSite } from '../../shared/hub/hub-site.ts';
import { closeWhenBlocking, DatabaseConnection } from '../../shared/storage/database-connection.ts';

interface HubSchema extends DBSchema {
  sites: { key: string; value: HubSite };
}

type HubDatabase = IDBPDatabase<HubSchema>;

const connection = new DatabaseConnection<HubDatabase>((closed) =>
  openDB<HubSchema>('tabserve-hub', 1, {
    upgrade(database) {
      database.createObjectStore('sites', { keyPath: 'origin' });
    },
    ...closeWhenBlocking(closed),
  }),
);

/** The sites that have asked for the models of this hub. Each method throws ApiError `storage_unavailable`. */
export interface HubSiteRecords {
  get(origin: string): Promise<HubSite | undefined>;
  list(): Promise<readonly HubSite[]>;
  put(site: HubSite): Promise<void>;
  delete(origin: string): Promise<void>;
}

/** {@link HubSiteRecords} in a database of their own, because only hubs have it. */
export const HUB_SITES: HubSiteRecords = {
  get: (origin) => connection.use((database) => database.get('sites', origin)),
  list: () => connection.use((database) => database.getAll('sites')),
  put: async (site) => void (await connection.use((database) => database.put('sites', site))),
  delete: (origin) => connection.use((database) => database.delete('sites', origin)),
};
