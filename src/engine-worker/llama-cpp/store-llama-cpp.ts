import { LLAMA_CPP_CACHE, llamaCppFiles } from '../../shared/models/llama-cpp-files.ts';

/**
 * Stores llama.cpp's own files in a cache, from which the site's service worker serves them from then on, also without network.
 * If the disk is full, only the copy fails, not the load.
 * @param folder Their address with a trailing slash. Files of other folders belong to earlier builds, and are deleted.
 * @param isCompat Whether this browser needs the program for 32-bit memories.
 */
export async function storeLlamaCpp(folder: string, isCompat: boolean): Promise<void> {
  try {
    const cache = await caches.open(LLAMA_CPP_CACHE);
    for (const { url } of await cache.keys()) if (!url.startsWith(folder)) await cache.delete(url);
    for (const address of Object.values(llamaCppFiles(folder, isCompat))) {
      if (isFile(await cache.match(address))) continue;
      await cache.delete(address);
      const response = await fetch(address, { cache: 'no-cache' });
      if (!isFile(response)) throw new Error(`${address} is not a file of llama.cpp.`);
      await cache.put(address, response);
    }
  } catch (thrown) {
    console.warn('No copy of llama.cpp could be kept for use without network.', thrown);
  }
}

/**
 * Whether a response is a file and no page, as many servers send in place of a file that is not there yet. If such a page were
 * kept, no GGUF model would load any more.
 */
function isFile(response: Response | undefined): boolean {
  return response?.ok === true && !/^text\/html/i.test(response.headers.get('content-type') ?? '');
}
