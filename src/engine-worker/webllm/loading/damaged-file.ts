import { ApiError } from '../../../shared/api-error.ts';
import { cachedFile } from '../../models/download/cached-file.ts';
import { DownloadError } from '../../models/download/download-error.ts';
import type { PackageFile } from '../../models/package/package-file.ts';
import { verifiedStream } from '../../models/download/verified-stream.ts';
import { joinTexts, say } from '../../strings/say.ts';

/**
 * Searches for a corrupt file after a completely downloaded model failed to load. Verifies every cached file as after a
 * download, and deletes the first one that fails from the cache, so that the next load fetches it.
 *
 * @returns the error to report; null if every file has the expected size and checksum.
 */
export async function damagedFile(files: readonly PackageFile[]): Promise<ApiError | null> {
  for (const file of files) {
    const response = await cachedFile(file, caches);
    try {
      await response?.body?.pipeThrough(verifiedStream(file)).pipeTo(new WritableStream());
    } catch (thrown) {
      if (!(thrown instanceof DownloadError)) throw thrown;
      await (await caches.open(file.cache)).delete(file.url);
      const message = joinTexts(thrown.fault, say('loadAgainAfterDeletion'));
      return new ApiError('model_load_failed', message, { cause: thrown });
    }
  }
  return null;
}

/**
 * Deletes the cached tokenizer file after the tokenizer failed to read it. The tokenizer (Rust compiled to WebAssembly)
 * traps on an invalid file, and a model package has no checksum of this file.
 *
 * @returns the error to report.
 */
export async function damagedTokenizer(files: readonly PackageFile[], cause: unknown): Promise<ApiError> {
  const tokenizer = files.find(({ name }) => name.startsWith('tokenizer.'));
  if (tokenizer !== undefined) await (await caches.open(tokenizer.cache)).delete(tokenizer.url);
  const message = joinTexts(say('fileDamaged', tokenizer?.name ?? 'The tokenizer'), say('loadAgainAfterDeletion'));
  return new ApiError('model_load_failed', message, { cause });
}
