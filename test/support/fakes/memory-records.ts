import type { ModelRecords } from '../../../src/engine-worker/models/model-records.ts';
import { withContextWindow } from '../../../src/shared/models/window-limits.ts';
import type { ModelEntry } from '../../../src/shared/models/model-entry.ts';
import type { StoredDownload } from '../../../src/shared/models/model-management.ts';

/** The records of the model library in memory. They outlive workers, as those in the database do. */
export function memoryRecords(): { -readonly [Name in keyof ModelRecords]: ModelRecords[Name] } {
  const models = new Map<string, ModelEntry>();
  const windows = new Map<string, number>();
  const downloads = new Map<string, StoredDownload>();
  return {
    models: async () => [...models.values()].map((entry) => withContextWindow(entry, windows.get(entry.id))),
    downloads: async () => [...downloads.values()],
    putDownload: async (download) => void downloads.set(download.id, download),
    deleteDownload: async (id) => void downloads.delete(id),
    async deleteModel(id) {
      models.delete(id);
      windows.delete(id);
    },
    putContextWindow: async (id, tokens) => void windows.set(id, tokens),
    async finishDownload(entry) {
      models.set(entry.id, entry);
      downloads.delete(entry.id);
    },
  };
}
