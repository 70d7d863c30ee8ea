/** Cache in which WebLLM 0.2.86 and the download manager keep model libraries. */
const LIBRARY_CACHE = 'webllm/wasm';

/**
 * Lets a model load offline on `localhost`, where WebLLM never caches the model library. This listener caches the
 * library, and responds with the copy if the network fails.
 */
export function serveModelLibrary(worker: ServiceWorkerGlobalScope): void {
  worker.addEventListener('fetch', (event) => {
    const { request } = event;
    const { hostname, pathname } = new URL(request.url);
    if (request.method !== 'GET' || !hostname.includes('localhost') || !pathname.endsWith('.wasm')) return;
    // Requests with a range or `no-store` come from the download manager, which verifies files before it caches them.
    if (request.headers.has('range') || request.cache === 'no-store') return;
    event.respondWith(networkFirst(request, (kept) => event.waitUntil(kept)));
  });
}

async function networkFirst(request: Request, waitUntil: (kept: Promise<void>) => void): Promise<Response> {
  try {
    const response = await fetch(request);
    if (response.ok) waitUntil(cacheCopy(request.url, response.clone()));
    return response;
  } catch {
    const cache = await caches.open(LIBRARY_CACHE);
    return (await cache.match(request.url)) ?? Response.error();
  }
}

/** Stores a copy of a response in the cache. If the disk is full, only the copy fails, not the response. */
async function cacheCopy(address: string, response: Response): Promise<void> {
  const cache = await caches.open(LIBRARY_CACHE);
  await cache
    .put(address, response)
    .catch((error: unknown) => console.warn(`No copy of ${address} could be kept.`, error));
}
