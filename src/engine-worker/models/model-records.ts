import { listDownloadedModels, settingKeys, storeModelSettings } from '../../shared/storage/device-models.ts';
import type { ModelSettings } from '../../shared/models/model-settings.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import type { ModelSource, StoredDownload } from '../../shared/models/model-management.ts';
import { openSiteDatabase } from '../../shared/storage/site-database.ts';

export interface ModelRecords {
  /** Lists the models that the user downloaded, each with the settings of the user. */
  models(): Promise<readonly ModelEntry[]>;
  downloads(): Promise<readonly StoredDownload[]>;
  putDownload(download: StoredDownload): Promise<void>;
  deleteDownload(id: string): Promise<void>;
  /** Stores the entry of a downloaded model and deletes its download, in one transaction. */
  finishDownload(entry: ModelEntry): Promise<void>;
  /** Deletes a model, its settings and its unfinished download. */
  deleteModel(id: string): Promise<void>;
  /** Lists the addresses from which files came that no model needs any more, and that may not all be gone yet. */
  deletions(): Promise<readonly ModelSource[]>;
  putDeletion(source: ModelSource): Promise<void>;
  /** Notes that the files are gone. */
  endDeletion(source: ModelSource): Promise<void>;
  /** Lists for each site, by its root address, where files of its own models may have come from. */
  siteSources(): Promise<ReadonlyMap<string, readonly ModelSource[]>>;
  putSiteSources(site: string, sources: readonly ModelSource[]): Promise<void>;
  /** Stores settings of a model. Others of its settings stay. */
  putSettings(id: string, settings: ModelSettings): Promise<void>;
}

const SITE_MODELS = 'site-models ';

export const STORED_RECORDS: ModelRecords = {
  models: async () => listDownloadedModels(await openSiteDatabase()),
  downloads: async () => (await openSiteDatabase()).getAll('downloads'),
  putDownload: async (download) => void (await (await openSiteDatabase()).put('downloads', download)),
  deleteDownload: async (id) => (await openSiteDatabase()).delete('downloads', id),
  deleteModel: async (id) => {
    const step = (await openSiteDatabase()).transaction(['models', 'downloads', 'settings'], 'readwrite');
    await Promise.all([
      step.objectStore('models').delete(id),
      step.objectStore('downloads').delete(id),
      ...settingKeys(id).map((key) => step.objectStore('settings').delete(key)),
      step.done,
    ]);
  },
  deletions: async () =>
    (await (
      await openSiteDatabase()
    ).getAll('settings', IDBKeyRange.bound('deletion ', 'deletion \uffff'))) as ModelSource[],
  putDeletion: async (source) => void (await (await openSiteDatabase()).put('settings', source, deletionKey(source))),
  endDeletion: async (source) => (await openSiteDatabase()).delete('settings', deletionKey(source)),
  siteSources: async () => {
    const range = IDBKeyRange.bound(SITE_MODELS, `${SITE_MODELS}\uffff`);
    const { store } = (await openSiteDatabase()).transaction('settings');
    const [keys, values] = await Promise.all([store.getAllKeys(range), store.getAll(range)]);
    return new Map(keys.map((key, index) => [key.slice(SITE_MODELS.length), values[index] as readonly ModelSource[]]));
  },
  putSiteSources: async (site, sources) =>
    void (await (await openSiteDatabase()).put('settings', sources, `${SITE_MODELS}${site}`)),
  putSettings: storeModelSettings,
  finishDownload: async (entry) => {
    const step = (await openSiteDatabase()).transaction(['models', 'downloads'], 'readwrite');
    await Promise.all([
      step.objectStore('models').put(entry),
      step.objectStore('downloads').delete(entry.id),
      step.done,
    ]);
  },
};

/** The key of a note in the database. A model can have several: the catalogue may have changed one of its addresses. */
function deletionKey({ modelUrl, libraryUrl, mmproj = '' }: ModelSource) {
  return `deletion ${modelUrl} ${libraryUrl} ${mmproj}` as const;
}
