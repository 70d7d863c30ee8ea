import { builtInModel } from '../../shared/built-in-model.ts';
import { cachedFile } from './cached-file.ts';
import type { DownloadEnvironment } from './download-environment.ts';
import { deleteModelFiles } from './installed-model.ts';
import { readModelPackage } from './model-package.ts';
import type { ModelSource } from '../../shared/model-management.ts';

/**
 * Forgets the cached built-in model if the site now has another one. WebLLM looks no further than its
 * caches, and the model's address never changes: without this an update of the site would keep the old
 * weights for ever, or join them to a new library.
 *
 * Without a network nothing is known to have changed, so nothing is forgotten.
 */
export async function refreshBuiltIn(site: string, environment: Pick<DownloadEnvironment, 'fetch' | 'caches'>): Promise<void> {
  const { id, modelUrl, libraryUrl } = builtInModel(site);
  const source: ModelSource = { id, modelUrl, libraryUrl, manifest: null, contextWindow: null, images: false };
  const { fetch, caches } = environment;
  let changed = false;
  try {
    const { files } = await readModelPackage(source, async (file) => (await revalidated(file.url, fetch)).text());
    // The shards need no look: their checksums are in a list that is compared.
    for (const file of files.filter(({ bytes }) => bytes === null)) {
      const cached = await cachedFile(file, caches);
      if (cached === undefined) continue;
      const [before, now] = await Promise.all([cached.arrayBuffer(), (await revalidated(file.url, fetch)).arrayBuffer()]);
      changed ||= !sameBytes(before, now);
    }
  } catch {
    return;
  }
  if (changed) await deleteModelFiles(source, [], caches);
}

/** Answered from the HTTP cache where the server says that nothing has changed. */
async function revalidated(address: string, fetch: typeof globalThis.fetch): Promise<Response> {
  const response = await fetch(address, { cache: 'no-cache' });
  if (!response.ok) throw new Error(`${address} answered ${response.status}.`);
  return response;
}

function sameBytes(one: ArrayBuffer, other: ArrayBuffer): boolean {
  if (one.byteLength !== other.byteLength) return false;
  const bytes = new Uint8Array(other);
  return new Uint8Array(one).every((byte, index) => byte === bytes[index]);
}
