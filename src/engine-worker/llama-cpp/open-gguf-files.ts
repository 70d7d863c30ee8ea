import { ApiError } from '../../shared/api-error.ts';
import type { LoadingProgress } from '../../shared/engine/engine.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import type { ModelSource } from '../../shared/models/model-management.ts';
import { cachedBlob } from '../models/download/cached-file.ts';
import { ChosenFiles } from '../models/download/chosen-files.ts';
import { BROWSER_ENVIRONMENT } from '../models/download/download-environment.ts';
import { DownloadError } from '../models/download/download-error.ts';
import { downloadModel } from '../models/download/download-model.ts';
import { GgufFault } from '../models/gguf/gguf-cursor.ts';
import { readGgufHeader } from '../models/gguf/read-gguf-header.ts';
import { deleteModelFiles } from '../models/installed-model.ts';
import { ggufStrings } from '../strings/gguf.ts';
import { loadingStrings as strings } from '../strings/model-loading.ts';

/**
 * Downloads a GGUF model's files unless they are in the cache, and checks the header, because llama.cpp does not report
 * a wrong file.
 * @returns the file, or all parts in order. The browser reads their bytes from its disk when they are needed.
 * @throws ApiError `model_load_failed` with the file and a remedy; the signal's reason.
 */
export async function openGgufFiles(
  { id, modelUrl, libraryUrl, contextWindow, images, gguf }: ModelEntry,
  report: (progress: LoadingProgress) => void,
  signal: AbortSignal,
): Promise<readonly Blob[]> {
  const known = { id, format: 'gguf', modelUrl, libraryUrl, manifest: null, contextWindow, images } as const;
  const source = { ...known, ...(gguf && { gguf }) };
  // Files that the user chose are in the cache. If they are not, the download fails, and the user must choose them
  // again.
  const environment = { ...BROWSER_ENVIRONMENT, fetch: new ChosenFiles().fetchWith(BROWSER_ENVIRONMENT.fetch) };
  try {
    report({ progress: 0, text: strings.lookingForFiles });
    const { files } = await downloadModel(
      source,
      environment,
      (read) => {
        const { receivedBytes, totalBytes } = read();
        if (totalBytes) {
          report({ progress: receivedBytes / totalBytes, text: strings.downloading(receivedBytes, totalBytes) });
        }
      },
      signal,
    );
    const blobs = await Promise.all(files.map((file) => cachedBlob(file, caches)));
    if (!blobs.every((blob) => blob !== undefined)) throw new Error(`${modelUrl} vanished from the cache.`);
    return await checked(blobs, source);
  } catch (thrown) {
    signal.throwIfAborted();
    if (!(thrown instanceof DownloadError)) throw thrown;
    throw new ApiError('model_load_failed', thrown.message, { cause: thrown });
  }
}

/**
 * Returns the files of a valid model. Deletes invalid ones from the cache, so that the next load fetches them again.
 */
async function checked(files: readonly Blob[], source: ModelSource): Promise<readonly Blob[]> {
  try {
    const [first] = await Promise.all(files.map((file) => readGgufHeader(file)));
    const { parts } = first!;
    if (parts !== files.length) throw new GgufFault(ggufStrings.parts(parts));
    return files;
  } catch (thrown) {
    if (!(thrown instanceof GgufFault)) throw thrown;
    await deleteModelFiles(source, [], caches);
    const sentence = ggufStrings.deletedCopy(thrown.message, source.modelUrl);
    throw new ApiError('model_load_failed', sentence, { cause: thrown });
  }
}
