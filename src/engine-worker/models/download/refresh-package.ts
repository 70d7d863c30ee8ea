import { cachedFile } from './cached-file.ts';
import { deleteModelFiles, knownFiles } from './installed-model.ts';
import { withStallTimeout } from './with-stall-timeout.ts';
import type { PackageFile } from '../package/package-file.ts';
import type { ModelSource } from '../../../shared/models/model-management.ts';

/**
 * Whether a file must be compared to detect a new package version. Weights need not be compared, because another file
 * lists their checksums.
 */
function dependsOnVersion({ kind }: PackageFile): boolean {
  return kind !== 'data';
}

/**
 * Deletes the cached files of a package of this site if the site has a newer version. Packages on other origins are not
 * checked, so that their servers do not learn when a downloaded model is used.
 *
 * If any request fails, for example offline, all cached files are kept.
 */
export async function refreshPackage(source: ModelSource, site: string, signal: AbortSignal): Promise<void> {
  if (new URL(source.modelUrl).origin !== site) return;
  const { files } = await knownFiles(source, caches);
  try {
    const changes = await Promise.all(files.filter(dependsOnVersion).map((file) => hasChanged(file, signal)));
    if (changes.includes(true)) await deleteModelFiles(source, [], caches);
  } catch {
    signal.throwIfAborted();
  }
}

async function hasChanged(file: PackageFile, signal: AbortSignal): Promise<boolean> {
  const cached = await cachedFile(file, caches);
  if (cached === undefined) return false;
  const response = await withStallTimeout(fetch)(file.url, { cache: 'no-cache', signal });
  if (!response.ok) throw new Error(`${file.url} answered ${response.status}.`);
  const [ours, theirs] = await Promise.all([cached.arrayBuffer(), response.arrayBuffer()]);
  return !sameBytes(new Uint8Array(ours), new Uint8Array(theirs));
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
