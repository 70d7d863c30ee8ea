import { LAST_EVENT_HEADER, STREAM_ID_HEADER } from '../../shared/http/resumable-stream.ts';
import { ResumedResponse } from './resumed-response.ts';

/**
 * A `fetch` whose chat completions survive the death of the service worker: an answer that breaks off is joined again, and
 * its reader sees one whole body. Every other request is passed on as it is.
 *
 * A request that names its stream itself ({@link STREAM_ID_HEADER}) is told the numbers of its events as well, in lines
 * `id: …`; from others they are taken out.
 *
 * @param basePath Tells where the endpoint is, as far as is known.
 * @param cancelStream Tells the engine that nobody wants the answer of this stream id any more.
 */
export function createResumingFetch(basePath: () => string, cancelStream: (streamId: string) => void): typeof fetch {
  return async (input, init) => {
    if (!asksForAnswer(`${basePath()}/chat/completions`, input, init)) return fetch(input, init);
    const request = new Request(input, init);
    const body = await request.arrayBuffer();
    const named = request.headers.get(STREAM_ID_HEADER);
    const streamId = named ?? crypto.randomUUID();
    const answer = new ResumedResponse({
      // Not all of the id: a trace may be shown to others.
      name: `stream ${streamId.slice(0, 8)}`,
      ask(lastEvent, signal) {
        const headers = new Headers(request.headers);
        headers.set(STREAM_ID_HEADER, streamId);
        if (lastEvent !== null) headers.set(LAST_EVENT_HEADER, lastEvent);
        return fetch(input, { ...init, headers, body, signal });
      },
      lastEvent: request.headers.get(LAST_EVENT_HEADER),
      tellsNumbers: named !== null,
      signal: request.signal,
      cancel: () => cancelStream(streamId),
    });
    return answer.open();
  };
}

function asksForAnswer(path: string, input: RequestInfo | URL, init: RequestInit | undefined): boolean {
  const isRequest = input instanceof Request;
  const method = init?.method ?? (isRequest ? input.method : 'GET');
  const address = isRequest ? input.url : String(input);
  if (method.toUpperCase() !== 'POST' || !URL.canParse(address, document.baseURI)) return false;
  const { origin, pathname } = new URL(address, document.baseURI);
  return origin === location.origin && pathname.replace(/\/$/, '') === path;
}
