import type { ModelRecords } from '../../../src/engine-worker/models/model-records.ts';
import { withSettings, type ModelSettings } from '../../../src/shared/models/model-settings.ts';
import type { ModelEntry } from '../../../src/shared/models/model-entry.ts';
import type { ModelSource, StoredDownload } from '../../../src/shared/models/model-management.ts';

/** The records of the model library in memory. They outlive workers, as those in the database do. */
export function memoryRecords(): { -readonly [Name in keyof ModelRecords]: ModelRecords[Name] } {
  const models = new Map<string, ModelEntry>();
  const settings = new Map<string, ModelSettings>();
  const downloads = new Map<string, StoredDownload>();
  const siteSources = new Map<string, readonly ModelSource[]>();
  const deletions = new Map<string, ModelSource>();
  return {
    models: async () => [...models.values()].map((entry) => withSettings(entry, settings.get(entry.id) ?? {})),
    downloads: async () => [...downloads.values()],
    putDownload: async (download) => void downloads.set(download.id, download),
    deleteDownload: async (id) => void downloads.delete(id),
    async deleteModel(id) {
      models.delete(id);
      settings.delete(id);
      downloads.delete(id);
    },
    deletions: async () => [...deletions.values()],
    putDeletion: async (source) => void deletions.set(addressesOf(source), source),
    endDeletion: async (source) => void deletions.delete(addressesOf(source)),
    siteSources: async () => siteSources,
    putSiteSources: async (site, sources) => void siteSources.set(site, sources),
    putSettings: async (id, some) => void settings.set(id, { ...settings.get(id), ...some }),
    async finishDownload(entry) {
      models.set(entry.id, entry);
      downloads.delete(entry.id);
    },
  };
}

function addressesOf({ modelUrl, libraryUrl, mmproj }: ModelSource): string {
  return JSON.stringify([modelUrl, libraryUrl, mmproj]);
}
