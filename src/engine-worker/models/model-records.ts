import type { ModelEntry } from '../../shared/model-entry.ts';
import type { StoredDownload } from '../../shared/model-management.ts';
import { withStore } from '../../shared/store.ts';

/** What is remembered about models between lives of the worker. */
export interface ModelRecords {
  models(): Promise<readonly ModelEntry[]>;
  downloads(): Promise<readonly StoredDownload[]>;
  putDownload(download: StoredDownload): Promise<void>;
  deleteDownload(id: string): Promise<void>;
  /** The download is over and the model can answer, in one step. */
  finishDownload(entry: ModelEntry): Promise<void>;
  deleteModel(id: string): Promise<void>;
}

/** The records in the site's database. */
export const STORED_RECORDS: ModelRecords = {
  models: () => withStore((store) => store.getAll('models')),
  downloads: () => withStore((store) => store.getAll('downloads')),
  putDownload: (download) => withStore(async (store) => void (await store.put('downloads', download))),
  deleteDownload: (id) => withStore((store) => store.delete('downloads', id)),
  deleteModel: (id) => withStore((store) => store.delete('models', id)),
  finishDownload: (entry) =>
    withStore(async (store) => {
      const step = store.transaction(['models', 'downloads'], 'readwrite');
      await Promise.all([
        step.objectStore('models').put(entry),
        step.objectStore('downloads').delete(entry.id),
        step.done,
      ]);
    }),
};
