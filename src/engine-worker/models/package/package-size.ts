import type { ModelSource } from '../../../shared/models/model-management.ts';
import { httpError, networkError } from '../download/download-error.ts';
import { withStallTimeout } from '../download/with-stall-timeout.ts';
import { readModelPackage } from './model-package.ts';
import type { PackageFile } from './package-file.ts';

/**
 * Adds up the sizes of a package's files. Only its lists are fetched. Library and tokenizer count only if the server
 * reports their sizes.
 *
 * @returns bytes.
 * @throws DownloadError if a list cannot be fetched or is invalid.
 */
export async function packageSize(source: ModelSource, fetch: typeof globalThis.fetch): Promise<number> {
  const fetchLimited = withStallTimeout(fetch);
  const ask = async (file: PackageFile, method: 'GET' | 'HEAD') => {
    const response = await fetchLimited(file.url, { method }).catch((thrown: unknown) => {
      throw networkError(file, thrown);
    });
    if (!response.ok) throw httpError(file, response);
    return response;
  };
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
