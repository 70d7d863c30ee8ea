/** The cache in which WebLLM 0.2.86 and the download manager keep model libraries. */
const LIBRARY_CACHE = 'webllm/wasm';

/**
 * Lets a model load without a network on `localhost` too. There WebLLM asks the network for the library
 * each time and caches nothing of it; this keeps a copy, and gives it when the network fails.
 */
export function serveModelLibrary(worker: ServiceWorkerGlobalScope): void {
  worker.addEventListener('fetch', (event) => {
    const { request } = event;
    const { hostname, pathname } = new URL(request.url);
    if (request.method !== 'GET' || !hostname.includes('localhost') || !pathname.endsWith('.wasm')) return;
    // The download manager checks what it gets before it keeps it, and asks for parts.
    if (request.headers.has('range') || request.cache === 'no-store') return;
    event.respondWith(networkFirst(request, (kept) => event.waitUntil(kept)));
  });
}

async function networkFirst(request: Request, until: (kept: Promise<void>) => void): Promise<Response> {
  try {
    const response = await fetch(request);
    if (response.ok) until(keep(request.url, response.clone()));
    return response;
  } catch {
    const cache = await caches.open(LIBRARY_CACHE);
    return (await cache.match(request.url)) ?? Response.error();
  }
}

/** A full disk costs the copy, never the answer. */
async function keep(address: string, response: Response): Promise<void> {
  const cache = await caches.open(LIBRARY_CACHE);
  await cache
    .put(address, response)
    .catch((error: unknown) => console.warn(`No copy of ${address} could be kept.`, error));
}
