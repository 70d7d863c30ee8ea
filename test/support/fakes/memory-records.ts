import type { ModelRecords } from '../../../src/engine-worker/models/model-records.ts';
import type { ModelEntry } from '../../../src/shared/models/model-entry.ts';
import type { StoredDownload } from '../../../src/shared/models/model-management.ts';

/** The records of model management in memory, to be handed from one life of a worker to the next. */
export function memoryRecords(): { -readonly [Name in keyof ModelRecords]: ModelRecords[Name] } {
  const models = new Map<string, ModelEntry>();
  const downloads = new Map<string, StoredDownload>();
  return {
    models: async () => [...models.values()],
    downloads: async () => [...downloads.values()],
    putDownload: async (download) => void downloads.set(download.id, download),
    deleteDownload: async (id) => void downloads.delete(id),
    deleteModel: async (id) => void models.delete(id),
    async finishDownload(entry) {
      models.set(entry.id, entry);
      downloads.delete(entry.id);
    },
  };
}
