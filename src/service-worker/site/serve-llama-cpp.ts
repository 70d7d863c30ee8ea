import { LLAMA_CPP_CACHE } from '../../shared/models/llama-cpp-files.ts';

/**
 * Responds with the copies of llama.cpp's files that the engine has stored, so that a GGUF model loads without network.
 */
export function serveLlamaCpp(worker: ServiceWorkerGlobalScope): void {
  worker.addEventListener('fetch', (event) => {
    const { request } = event;
    if (request.method === 'GET' && request.url.includes('/llama-cpp-')) event.respondWith(keptOrFetched(request));
  });
}

async function keptOrFetched(request: Request): Promise<Response> {
  const kept = await caches.match(request.url, { cacheName: LLAMA_CPP_CACHE }).catch(() => undefined);
  return kept ?? fetch(request);
}
