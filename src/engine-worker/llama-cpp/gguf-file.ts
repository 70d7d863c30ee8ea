import { ApiError } from '../../shared/api-error.ts';
import type { LoadingProgress } from '../../shared/engine/engine.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import { cachedFile } from '../models/download/cached-file.ts';
import { BROWSER_ENVIRONMENT } from '../models/download/download-environment.ts';
import { DownloadError } from '../models/download/download-error.ts';
import { downloadModel } from '../models/download/download-model.ts';
import { GgufFault } from '../models/gguf/gguf-cursor.ts';
import { readGgufHeader } from '../models/gguf/read-gguf-header.ts';
import { MODEL_CACHES } from '../models/package/package-file.ts';
import { ggufStrings } from '../strings/gguf.ts';
import { loadingStrings as strings } from '../strings/model-loading.ts';

/**
 * Downloads a GGUF model's file unless it is in the cache, and reads its header, which llama.cpp would trust.
 * @returns the file, whose bytes the browser reads from its disk when they are needed.
 * @throws ApiError `model_load_failed` with the file and a remedy; the signal's reason.
 */
export async function openGgufFile(
  { id, modelUrl, libraryUrl, contextWindow, images }: ModelEntry,
  report: (progress: LoadingProgress) => void,
  signal: AbortSignal,
): Promise<Blob> {
  const source = { id, format: 'gguf', modelUrl, libraryUrl, manifest: null, contextWindow, images } as const;
  try {
    report({ progress: 0, text: strings.lookingForFiles });
    const { files } = await downloadModel(
      source,
      BROWSER_ENVIRONMENT,
      (read) => {
        const { receivedBytes, totalBytes } = read();
        if (totalBytes) {
          report({ progress: receivedBytes / totalBytes, text: strings.downloading(receivedBytes, totalBytes) });
        }
      },
      signal,
    );
    const file = files[0] && (await cachedFile(files[0], caches));
    if (file === undefined) throw new Error(`${modelUrl} vanished from the cache.`);
    return await checked(await file.blob(), modelUrl);
  } catch (thrown) {
    signal.throwIfAborted();
    if (!(thrown instanceof DownloadError)) throw thrown;
    throw new ApiError('model_load_failed', thrown.message, { cause: thrown });
  }
}

/** Deletes the copy of a file that is no model, so that the next load fetches it. */
async function checked(file: Blob, address: string): Promise<Blob> {
  try {
    const { parts } = await readGgufHeader(file);
    if (parts > 1) throw new GgufFault(ggufStrings.parts(parts));
    return file;
  } catch (thrown) {
    if (!(thrown instanceof GgufFault)) throw thrown;
    await (await caches.open(MODEL_CACHES.gguf)).delete(address);
    throw new ApiError('model_load_failed', ggufStrings.deletedCopy(thrown.message, address), { cause: thrown });
  }
}
