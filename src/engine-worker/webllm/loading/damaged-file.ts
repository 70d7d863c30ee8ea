import { ApiError } from '../../../shared/api-error.ts';
import { cachedFile } from '../../models/download/cached-file.ts';
import { DownloadError } from '../../models/download/download-error.ts';
import type { PackageFile } from '../../models/package/package-file.ts';
import { verifiedStream } from '../../models/download/verified-stream.ts';
import { downloadFailureStrings } from '../../strings/download-failures.ts';

/**
 * Looks for the file to blame when a package that was complete did not load: reads every cached file
 * through the checks of a download, and forgets one that fails them, so that the next load fetches it.
 *
 * @returns the error to tell; null where every file is as the package announces.
 */
export async function damagedFile(files: readonly PackageFile[]): Promise<ApiError | null> {
  for (const file of files) {
    const response = await cachedFile(file, caches);
    try {
      await response?.body?.pipeThrough(verifiedStream(file)).pipeTo(new WritableStream());
    } catch (thrown) {
      if (!(thrown instanceof DownloadError)) throw thrown;
      await (await caches.open(file.cache)).delete(file.url);
      const message = downloadFailureStrings.deletedCopy(thrown.failure.message);
      return new ApiError('model_load_failed', message, { cause: thrown });
    }
  }
  return null;
}

/**
 * Forgets the tokenizer, whose reader can only trap when it does not understand a file, as WebAssembly made by Rust does.
 * A package tells nothing that it could be checked against beforehand.
 *
 * @returns the error to tell.
 */
export async function damagedTokenizer(files: readonly PackageFile[], cause: unknown): Promise<ApiError> {
  const tokenizer = files.find(({ name }) => name.startsWith('tokenizer.'));
  if (tokenizer !== undefined) await (await caches.open(tokenizer.cache)).delete(tokenizer.url);
  const message = downloadFailureStrings.deletedCopy(
    downloadFailureStrings.unreadableTokenizer(tokenizer?.name ?? 'The tokenizer'),
  );
  return new ApiError('model_load_failed', message, { cause });
}
