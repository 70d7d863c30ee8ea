import { ApiError } from '../../shared/api-error.ts';
import type { LoadingProgress } from '../../shared/engine/engine.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import type { ModelSource } from '../../shared/models/model-management.ts';
import { cachedBlob } from '../models/download/cached-file.ts';
import { isBuiltIn } from '../../shared/models/built-in-models.ts';
import { ChosenFiles } from '../models/download/chosen-files.ts';
import { BROWSER_ENVIRONMENT } from '../models/download/download-environment.ts';
import { vanishedFileError } from '../models/download/download-error.ts';
import { downloadModel } from '../models/download/download-model.ts';
import { loadFailure } from '../models/download/load-failure.ts';
import { OVERFLOW_BYTES } from '../models/download/overflow-caches.ts';
import { GgufFault } from '../models/package/gguf-cursor.ts';
import { readGgufHeader, type GgufHeader } from '../models/package/read-gguf-header.ts';
import { deleteModelFiles } from '../models/download/installed-model.ts';
import { MODEL_CACHES } from '../models/package/package-file.ts';
import { sourceOf } from '../models/source-of.ts';
import { joinTexts, say } from '../strings/say.ts';

/**
 * Downloads a GGUF model's files unless they are in the cache, and checks the header, because llama.cpp does not report
 * a wrong file.
 * @returns the file, or all parts in order, and last the image encoder if the model has one. The browser reads their
 * bytes from its disk when they are needed.
 * @throws ApiError `model_load_failed` with the file and a remedy; the signal's reason.
 */
export async function openGgufFiles(
  entry: ModelEntry,
  report: (progress: LoadingProgress) => void,
  signal: AbortSignal,
): Promise<readonly Blob[]> {
  const source = sourceOf(entry);
  let progress = 0;
  // Files that the user chose are in the cache. If they are not, the download fails, and the user must choose them
  // again.
  const environment = {
    ...BROWSER_ENVIRONMENT,
    fetch: new ChosenFiles().fetchWith(BROWSER_ENVIRONMENT.fetch),
    overflowBytes: isBuiltIn(entry.id) ? OVERFLOW_BYTES : 0,
    // A slow device checks a large file for minutes. Without progress the load would count as stuck.
    onChecked: (share: number) => report({ progress, ...say('checkingFile', share) }),
  };
  try {
    report({ progress: 0, ...say('lookingForFiles') });
    const { files } = await downloadModel(
      source,
      environment,
      (read) => {
        const { receivedBytes, totalBytes } = read();
        if (totalBytes) {
          progress = receivedBytes / totalBytes;
          report({ progress, ...say('downloadingModel', receivedBytes, totalBytes) });
        }
      },
      signal,
    );
    if (entry.ggufUrl !== undefined) await deleteOtherVersions(source);
    const blobs = await Promise.all(files.map((file) => cachedBlob(file, caches)));
    if (!blobs.every((blob) => blob !== undefined)) throw vanishedFileError(files[blobs.indexOf(undefined)]!);
    const hasMmproj = source.mmproj !== undefined;
    await checkModel(hasMmproj ? blobs.slice(0, -1) : blobs, source);
    if (hasMmproj) await checkMmproj(blobs.at(-1)!, source);
    return blobs;
  } catch (thrown) {
    signal.throwIfAborted();
    throw loadFailure(thrown, entry.id);
  }
}

/** Deletes earlier versions of a built-in model's file. Their addresses differ from this one's in the query. */
async function deleteOtherVersions(source: ModelSource): Promise<void> {
  for (const { url } of await (await caches.open(MODEL_CACHES.gguf)).keys()) {
    if (url === source.modelUrl || withoutQuery(url) !== withoutQuery(source.modelUrl)) continue;
    await deleteModelFiles({ ...source, modelUrl: url }, [source], caches);
  }
}

function withoutQuery(address: string): string {
  return address.replace(/\?.*/, '');
}

function checkModel(files: readonly Blob[], source: ModelSource): Promise<void> {
  const { mmproj: _, ...own } = source;
  return checkHeaders(files, own, ([first]) => {
    if (first!.parts !== files.length) throw new GgufFault(say('ggufPartsMissing', first!.parts));
  });
}

function checkMmproj(file: Blob, { mmproj, ...source }: ModelSource): Promise<void> {
  return checkHeaders([file], { ...source, modelUrl: mmproj! }, ([header]) => {
    if (!header!.mmproj?.seesImages) throw new GgufFault(say('encoderSeesNothing'));
  });
}

/**
 * Reads the headers of files that have arrived. Deletes invalid files from the cache, so that the next load fetches them
 * again.
 * @param source Where these files, and no others, come from.
 * @param check Throws a GgufFault for headers of another kind than expected.
 */
async function checkHeaders(
  files: readonly Blob[],
  source: ModelSource,
  check: (headers: readonly GgufHeader[]) => void,
): Promise<void> {
  try {
    check(await Promise.all(files.map((file) => readGgufHeader(file))));
  } catch (thrown) {
    if (!(thrown instanceof GgufFault)) throw thrown;
    await deleteModelFiles(source, [], caches);
    const sentence = joinTexts(thrown.words, say('openAddressOfDeleted', source.modelUrl));
    throw new ApiError('model_load_failed', sentence, { cause: thrown });
  }
}
