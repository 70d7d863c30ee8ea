import type { ModelEntry } from '../../shared/models/model-entry.ts';
import { loadFailure } from '../models/download/load-failure.ts';
import { readGgufHeader, type GgufHeader } from '../models/package/read-gguf-header.ts';
import { sampleHash } from '../models/package/sample-hash.ts';

/**
 * Reads what is known of a model before it is loaded: the hash of its content, its header, and that of its image encoder.
 * @throws ApiError `model_load_failed` if the files are gone or invalid.
 */
export async function readFiles(
  files: readonly Blob[],
  entry: ModelEntry,
): Promise<{ readonly hash: string; readonly header: GgufHeader; readonly mmproj: GgufHeader['mmproj'] }> {
  try {
    const [hash, header] = [await sampleHash(files), await readGgufHeader(files[0]!)];
    return { hash, header, mmproj: entry.mmproj === undefined ? null : (await readGgufHeader(files.at(-1)!)).mmproj };
  } catch (thrown) {
    throw loadFailure(thrown, entry.id);
  }
}
