import type { ApiError } from '../../shared/api-error.ts';
import { engineUnavailable } from '../../shared/engine/engine-errors.ts';
import { withTimeout } from '../../shared/timeout.ts';
import { trace } from '../../shared/trace/trace.ts';
import { ENGINE_HEADER } from '../../shared/upstreams/upstream.ts';
import type { Exchange } from '../http/exchange.ts';
import { encodeUpstreamBody } from './upstream-body.ts';
import { isRefusal, readUpstreamError } from './upstream-error.ts';
import { postToUpstream } from './upstream-request.ts';
import type { ForwardedRequest, UpstreamDependencies } from './upstreams.ts';

/** Response headers that are forwarded. The service worker can read them only if the upstream's CORS headers expose them. */
const FORWARDED_HEADERS = ['retry-after', 'retry-after-ms', 'x-should-retry'];

/**
 * Forwards a request to an upstream, and the upstream's response with its status to the client. The request is sent
 * once: clients retry on their own, and a hidden retry could cost the user money.
 * @throws ApiError `upstream_failed` if the upstream cannot be reached; `upstream_timeout` if it sends nothing for too
 * long; `engine_unavailable` if a newer build takes over.
 */
export async function forwardRequest(
  exchange: Exchange,
  forwarded: ForwardedRequest,
  dependencies: UpstreamDependencies,
): Promise<Response> {
  const { requestId, settings, admit, clientDisconnected, observer } = exchange;
  const { upstream, path, body } = forwarded;
  const { stream, n, prompt } = body.value as Readonly<Record<'stream' | 'n' | 'prompt', unknown>>;
  const isStream = stream === true;
  const finished = new AbortController();
  const finish = () => finished.abort();
  await admit(settings.headersTimeout);
  await dependencies.holdAnswerLock(finished.signal);
  observer?.forwarded(upstream.name);
  trace(requestId, 'forwards to', upstream.name);
  const upstreamResponse = postToUpstream(forwarded, dependencies, finished.signal);
  // Awaited below; until then a rejection would be reported as unhandled.
  upstreamResponse.catch(() => {});
  try {
    const response = await awaitUpstreamHeaders(
      upstreamResponse,
      dependencies.headersTimeout,
      settings.clientCheckInterval,
      clientDisconnected,
    );
    const headers: Record<string, string> = { [ENGINE_HEADER]: `upstream:${upstream.name}` };
    if (response !== null) {
      trace(requestId, 'receives from', upstream.name, response.status);
      for (const name of FORWARDED_HEADERS) {
        const value = response.headers.get(name);
        if (value !== null) headers[name] = value;
      }
      if (isRefusal(response)) {
        observer?.failed('upstream_failed');
        const error = await readUpstreamError(response, upstream);
        finish();
        // A status such as 304 is not an error for a client, and a response with it cannot have a body, so it becomes
        // 502.
        return Response.json({ error }, { status: response.status < 400 ? 502 : response.status, headers });
      }
    }
    if (isStream) {
      // Also if the upstream sends JSON, which becomes events.
      headers['content-type'] = 'text/event-stream; charset=utf-8';
      headers['cache-control'] = 'no-cache';
    } else headers['content-type'] = 'application/json';
    const texts = encodeUpstreamBody(upstreamResponse, {
      isStream,
      choices: (typeof n === 'number' ? n : 1) * promptsIn(prompt),
      path,
      upstream,
      interval: settings.keepAliveInterval,
    });
    return new Response(responseBody(texts, finish, exchange), { headers });
  } catch (thrown) {
    finish();
    throw thrown;
  }
}

/** Returns the number of prompts of a text completion, each of which gets its own choices. A list of numbers is one prompt. */
function promptsIn(prompt: unknown): number {
  return Array.isArray(prompt) && prompt.length > 0 && typeof prompt[0] !== 'number' ? prompt.length : 1;
}

/** Returns the upstream's response; null if it does not arrive within the headers timeout. */
async function awaitUpstreamHeaders(
  upstreamResponse: Promise<Response>,
  headersTimeout: number,
  interval: number,
  clientDisconnected: () => Promise<boolean>,
): Promise<Response | null> {
  const deadline = performance.now() + headersTimeout;
  while (performance.now() < deadline) {
    const response = await withTimeout(Math.min(interval, deadline - performance.now()), upstreamResponse, null);
    if (response !== null) return response;
    if (await clientDisconnected()) throw engineUnavailable('The client disconnected.');
  }
  return null;
}

function responseBody(
  texts: AsyncGenerator<string, ApiError | null>,
  finish: () => void,
  { observer, requestId }: Exchange,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await texts.next();
        if (done !== true) return controller.enqueue(bytes.encode(value));
        trace(requestId, 'upstream response ends:', value?.code ?? 'complete');
        if (value === null) observer?.completed();
        else observer?.failed(value.code);
        controller.close();
      } catch (thrown) {
        observer?.failed('upstream_failed');
        controller.error(thrown);
      }
      finish();
    },
    cancel() {
      observer?.cancelled();
      trace(requestId, 'the client disconnected');
      finish();
    },
  });
}
