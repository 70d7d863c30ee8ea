import type { ModelEntry } from '../../shared/models/model-entry.ts';
import type { StoredDownload } from '../../shared/models/model-management.ts';
import { openSiteDatabase } from '../../shared/storage/site-database.ts';

/** The stored records of models and downloads. */
export interface ModelRecords {
  models(): Promise<readonly ModelEntry[]>;
  downloads(): Promise<readonly StoredDownload[]>;
  putDownload(download: StoredDownload): Promise<void>;
  deleteDownload(id: string): Promise<void>;
  /** Stores the entry of a downloaded model and deletes its download, in one transaction. */
  finishDownload(entry: ModelEntry): Promise<void>;
  deleteModel(id: string): Promise<void>;
}

export const STORED_RECORDS: ModelRecords = {
  models: async () => (await openSiteDatabase()).getAll('models'),
  downloads: async () => (await openSiteDatabase()).getAll('downloads'),
  putDownload: async (download) => void (await (await openSiteDatabase()).put('downloads', download)),
  deleteDownload: async (id) => (await openSiteDatabase()).delete('downloads', id),
  deleteModel: async (id) => (await openSiteDatabase()).delete('models', id),
  finishDownload: async (entry) => {
    const step = (await openSiteDatabase()).transaction(['models', 'downloads'], 'readwrite');
    await Promise.all([
      step.objectStore('models').put(entry),
      step.objectStore('downloads').delete(entry.id),
      step.done,
    ]);
  },
};
