import { ApiError } from '../../shared/api-error.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import type { ModelFiles } from '../../shared/models/model-management.ts';
import { cachedBlob } from './download/cached-file.ts';
import { knownFiles } from './download/installed-model.ts';
import { sourceOf } from './source-of.ts';

/**
 * Returns the files of a model on this device. Fetches nothing.
 * @throws ApiError `model_load_failed` if a file is missing.
 */
export async function modelFiles(model: ModelEntry, caches: CacheStorage): Promise<ModelFiles> {
  const { id, format, modelUrl, libraryUrl, contextWindow, images } = model;
  if (format === 'browser') return { format, modelUrl, libraryUrl, contextWindow, images, files: [] };
  const { files, unread } = await knownFiles(sourceOf(model), caches);
  const blobs = unread === null ? await Promise.all(files.map((file) => cachedBlob(file, caches))) : [undefined];
  const found = blobs.filter((blob) => blob !== undefined);
  if (found.length < blobs.length) {
    throw new ApiError('model_load_failed', `Not all files of ${id} are on this device. Load the model once.`);
  }
  return { format: format ?? 'package', modelUrl, libraryUrl, contextWindow, images, files: found };
}
