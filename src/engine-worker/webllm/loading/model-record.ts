import type { ModelRecord } from '@mlc-ai/web-llm';
import type { ModelEntry } from '../../../shared/models/model-entry.ts';
import { engineLibraryUrl, engineModelUrl, isCopyOf } from '../../models/package/package-address.ts';

/**
 * Returns the record that WebLLM needs for a model. It includes the device requirements from WebLLM's catalogue, if the
 * model is in it.
 */
export function modelRecord(
  {
    id,
    modelUrl,
    libraryUrl,
    images,
    embedding,
  }: Pick<ModelEntry, 'id' | 'modelUrl' | 'libraryUrl' | 'images' | 'embedding'>,
  catalogue: readonly ModelRecord[],
): ModelRecord {
  const known = catalogue.find((record) => record.model_id === id && isCopyOf(libraryUrl, record.model_lib));
  return {
    // The numbers are WebLLM's `ModelType`: 2 is a vision-language model, 1 an embedding model.
    ...(images ? { model_type: 2 } : {}),
    ...(embedding ? { model_type: 1 } : {}),
    ...known,
    model_id: id,
    model: engineModelUrl(modelUrl),
    model_lib: engineLibraryUrl(libraryUrl),
  };
}
