import { listDownloadedModels, storeContextWindow } from '../../shared/storage/device-models.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import type { StoredDownload } from '../../shared/models/model-management.ts';
import { openSiteDatabase } from '../../shared/storage/site-database.ts';

export interface ModelRecords {
  /** Lists the models that the user downloaded, each with the context window that the user has set. */
  models(): Promise<readonly ModelEntry[]>;
  downloads(): Promise<readonly StoredDownload[]>;
  putDownload(download: StoredDownload): Promise<void>;
  deleteDownload(id: string): Promise<void>;
  /** Stores the entry of a downloaded model and deletes its download, in one transaction. */
  finishDownload(entry: ModelEntry): Promise<void>;
  /** Deletes a model and the context window that was set for it. */
  deleteModel(id: string): Promise<void>;
  putContextWindow(id: string, tokens: number): Promise<void>;
}

export const STORED_RECORDS: ModelRecords = {
  models: async () => listDownloadedModels(await openSiteDatabase()),
  downloads: async () => (await openSiteDatabase()).getAll('downloads'),
  putDownload: async (download) => void (await (await openSiteDatabase()).put('downloads', download)),
  deleteDownload: async (id) => (await openSiteDatabase()).delete('downloads', id),
  deleteModel: async (id) => {
    const step = (await openSiteDatabase()).transaction(['models', 'settings'], 'readwrite');
    await Promise.all([
      step.objectStore('models').delete(id),
      step.objectStore('settings').delete(`context-window ${id}`),
      step.done,
    ]);
  },
  putContextWindow: storeContextWindow,
  finishDownload: async (entry) => {
    const step = (await openSiteDatabase()).transaction(['models', 'downloads'], 'readwrite');
    await Promise.all([
      step.objectStore('models').put(entry),
      step.objectStore('downloads').delete(entry.id),
      step.done,
    ]);
  },
};
