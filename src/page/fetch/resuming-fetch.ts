import { LAST_EVENT_HEADER, STREAM_ID_HEADER } from '../../shared/http/resumable-stream.ts';

/**
 * Creates a `fetch` whose chat completions survive the death of the service worker: it resumes an interrupted response,
 * and the caller reads one complete body. Other requests are passed on unchanged.
 *
 * The `id: …` lines with the numbers of events stay in the body only if the request sets {@link STREAM_ID_HEADER}
 * itself.
 *
 * @param basePath Returns the path of the endpoint: the expected one until the service worker has replied.
 * @param cancelStream Cancels the completion of a stream id in the engine.
 * @param knowsStream Asks the engine whether it still has the completion of a stream id. If it has not, the response is
 * made here: browsers print each 404 on the console as an error of the site. Default: the service worker is asked.
 */
export function createResumingFetch(
  basePath: () => string,
  cancelStream: (streamId: string) => void,
  knowsStream: (streamId: string) => Promise<boolean> = async () => true,
): typeof fetch {
  return async (input, init) => {
    if (!isPostTo(`${basePath()}/chat/completions`, input, init)) return fetch(input, init);
    // Loaded now, because a page asks nothing before its first paint. Once another build is on the server, a page without its
    // service worker may not get it: then its answers end with the service worker.
    const parts = await import('./resumed-response.ts').catch(() => null);
    if (!parts) return fetch(input, init);
    const { ResumedResponse, streamNotFound } = parts;
    const request = new Request(input, init);
    const body = await request.arrayBuffer();
    const named = request.headers.get(STREAM_ID_HEADER);
    const streamId = named ?? crypto.randomUUID();
    const resumed = new ResumedResponse({
      // Only the beginning of the id: people share traces, and with the whole id others could read the answer.
      name: `stream ${streamId.slice(0, 8)}`,
      async request(lastEvent, signal) {
        if (lastEvent !== null && !(await knowsStream(streamId))) return streamNotFound();
        const headers = new Headers(request.headers);
        headers.set(STREAM_ID_HEADER, streamId);
        if (lastEvent !== null) headers.set(LAST_EVENT_HEADER, lastEvent);
        return fetch(input, { ...init, headers, body, signal });
      },
      lastEvent: request.headers.get(LAST_EVENT_HEADER),
      keepsEventNumbers: named !== null,
      signal: request.signal,
      cancel: () => cancelStream(streamId),
    });
    return resumed.open();
  };
}

function isPostTo(path: string, input: RequestInfo | URL, init: RequestInit | undefined): boolean {
  const isRequest = input instanceof Request;
  const method = init?.method ?? (isRequest ? input.method : 'GET');
  const address = isRequest ? input.url : String(input);
  if (method.toUpperCase() !== 'POST' || !URL.canParse(address, document.baseURI)) return false;
  const { origin, pathname } = new URL(address, document.baseURI);
  return origin === location.origin && pathname.replace(/\/$/, '') === path;
}
