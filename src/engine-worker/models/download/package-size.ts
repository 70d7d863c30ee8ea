import type { CustomModel, ModelSource } from '../../../shared/models/model-management.ts';
import { DownloadError, httpError, networkError } from './download-error.ts';
import { withStallTimeout } from './with-stall-timeout.ts';
import { readModelPackage } from './model-package.ts';
import type { PackageFile } from '../package/package-file.ts';

/**
 * Adds up the sizes of a package's files. Only the lists of files are fetched. Library and tokenizer are included only
 * if the server reports their sizes.
 *
 * @returns bytes.
 * @throws DownloadError if a list cannot be fetched or is invalid.
 */
export async function packageSize(source: ModelSource, fetch: typeof globalThis.fetch): Promise<number> {
  const ask = asker(fetch);
  const sizes = new Map<string, number>();
  const { files } = await readModelPackage(source, async (file, parse) => {
    const response = await ask(file, 'GET');
    const text = await response.text().catch((thrown: unknown) => {
      throw networkError(file, thrown);
    });
    sizes.set(file.url, new TextEncoder().encode(text).byteLength);
    return parse(text);
  });
  const bytes = files.map(async (file) => {
    const known = file.bytes ?? sizes.get(file.url);
    if (known !== undefined) return known;
    const response = await ask(file, 'HEAD').catch(() => null);
    return Number(response?.headers.get('content-length') ?? 0);
  });
  return (await Promise.all(bytes)).reduce((sum, size) => sum + size, 0);
}

/**
 * Checks that the addresses lead to a package: its lists of files can be read, and its library exists.
 * @throws ApiError `model_load_failed`; `param` names the wrong address, a field of `CustomModel`.
 */
export async function requirePackage(source: ModelSource, fetch: typeof globalThis.fetch): Promise<void> {
  const ask = asker(fetch);
  const reading = readModelPackage(source, async (file, parse) => parse(await (await ask(file, 'GET')).text()));
  const { files } = await reading.catch(refuse('modelUrl'));
  const library = files.find(({ url }) => url === source.libraryUrl)!;
  await ask(library, 'HEAD').catch(refuse('libraryUrl'));
}

/**
 * Returns a function that converts a DownloadError to an ApiError and throws it. @param param Field with the address.
 */
function refuse(param: keyof CustomModel): (thrown: unknown) => never {
  return (thrown) => {
    throw thrown instanceof DownloadError ? thrown.toApiError(param) : thrown;
  };
}

/**
 * Returns a function that requests a file of a package. It throws a DownloadError if there is no response, or if the
 * status is not 2xx.
 */
function asker(fetch: typeof globalThis.fetch): (file: PackageFile, method: 'GET' | 'HEAD') => Promise<Response> {
  const fetchLimited = withStallTimeout(fetch);
  return async (file, method) => {
    const response = await fetchLimited(file.url, { method }).catch((thrown: unknown) => {
      throw networkError(file, thrown);
    });
    if (!response.ok) throw httpError(file, response);
    return response;
  };
}
