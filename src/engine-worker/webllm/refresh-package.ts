import { cachedFile } from '../models/cached-file.ts';
import { deleteModelFiles } from '../models/installed-model.ts';
import { readModelPackage } from '../models/model-package.ts';
import type { PackageFile } from '../models/package-file.ts';
import type { ModelSource } from '../../shared/model-management.ts';

/** The lists, tokenizer and library of a package change whenever its weights do: the lists carry checksums. */
function tellsVersion({ kind }: PackageFile): boolean {
  return kind !== 'data';
}

/**
 * Forgets the cached files of a package that lies beside this site when the site has newer ones: a model
 * that comes with the site is updated with the site. What lies elsewhere is never asked for again, so that
 * after a download nothing tells its server about the use of the model.
 *
 * Without an answer from the server, as offline, the cached files stay.
 */
export async function refreshPackage(source: ModelSource, site: string, signal: AbortSignal): Promise<void> {
  if (new URL(source.modelUrl).origin !== site) return;
  const files = await cachedFiles(source);
  const changes = await Promise.all(files.filter(tellsVersion).map((file) => hasChanged(file, signal)));
  signal.throwIfAborted();
  if (changes.includes(true)) await deleteModelFiles(source, [], caches);
}

async function cachedFiles(source: ModelSource): Promise<readonly PackageFile[]> {
  try {
    return (await readModelPackage(source, readCached)).files;
  } catch {
    // A list is missing or broken; the download will fetch it.
    return [];
  }
}

async function readCached(file: PackageFile): Promise<string> {
  return (await cachedFile(file, caches))?.text() ?? '';
}

async function hasChanged(file: PackageFile, signal: AbortSignal): Promise<boolean> {
  const cached = await cachedFile(file, caches);
  if (cached === undefined) return false;
  try {
    const response = await fetch(file.url, { cache: 'no-cache', signal });
    if (!response.ok) return false;
    const [ours, theirs] = await Promise.all([cached.arrayBuffer(), response.arrayBuffer()]);
    return !sameBytes(new Uint8Array(ours), new Uint8Array(theirs));
  } catch {
    return false;
  }
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
