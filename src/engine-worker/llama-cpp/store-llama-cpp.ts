import { LLAMA_CPP_CACHE, llamaCppFiles } from '../../shared/models/llama-cpp-files.ts';

/**
 * Stores llama.cpp's own files in a cache, from which the site's service worker serves them when there is no network.
 * If the disk is full, only the copy fails, not the load.
 * @param folder Their address with a trailing slash. Files of other folders belong to earlier builds, and are deleted.
 * @param isCompat Whether this browser needs the program for 32-bit memories.
 */
export async function storeLlamaCpp(folder: string, isCompat: boolean): Promise<void> {
  try {
    const cache = await caches.open(LLAMA_CPP_CACHE);
    for (const { url } of await cache.keys()) if (!url.startsWith(folder)) await cache.delete(url);
    for (const address of Object.values(llamaCppFiles(folder, isCompat))) {
      if ((await cache.match(address)) === undefined) await cache.add(address);
    }
  } catch (thrown) {
    console.warn('No copy of llama.cpp could be kept for use without network.', thrown);
  }
}
