import type { ApiError } from '../../shared/api-error.ts';
import { engineUnavailable } from '../../shared/engine/engine-errors.ts';
import { withTimeout } from '../../shared/timeout.ts';
import { trace } from '../../shared/trace/trace.ts';
import { ENGINE_HEADER } from '../../shared/upstreams/upstream.ts';
import type { Exchange } from '../http/exchange.ts';
import { askUpstream } from './upstream-request.ts';
import { upstreamTexts } from './upstream-body.ts';
import { upstreamFailure } from './upstream-error.ts';
import type { PassedRequest, UpstreamDependencies } from './upstreams.ts';

/** Headers of an upstream that mean something to clients. Those beside the first are seen only if its CORS headers expose them. */
const PASSED_HEADERS = ['content-type', 'retry-after', 'retry-after-ms', 'x-should-retry'];

/**
 * Has a request answered by an upstream: what it says comes back as it says it, its refusals with their status. It is
 * asked once: clients repeat what may be repeated, and a repetition of which nobody knows would be paid for twice.
 * @throws ApiError `upstream_failed`, `upstream_timeout` when no answer comes; `engine_unavailable` when a newer build of the
 *   site takes over.
 */
export async function passOn(
  exchange: Exchange,
  passed: PassedRequest,
  dependencies: UpstreamDependencies,
): Promise<Response> {
  const { requestId, settings, admit, clientGone, observer } = exchange;
  const { upstream, path, body } = passed;
  const isStream = (body.value as { stream?: unknown }).stream === true;
  const left = new AbortController();
  const finished = new AbortController();
  await admit(settings.headHoldTime);
  await dependencies.holdAnswer(finished.signal);
  observer?.passedOn(upstream.name);
  trace(requestId, 'is passed on to', upstream.name);
  const head = askUpstream(passed, dependencies, left.signal);
  // Looked at below, but perhaps later than it fails.
  head.catch(() => {});
  const leave = () => {
    left.abort();
    finished.abort();
  };
  try {
    const response = await awaitHead(head, dependencies.headTime, settings.clientCheckInterval, clientGone);
    const headers: Record<string, string> = { [ENGINE_HEADER]: `upstream:${upstream.name}` };
    if (response !== null) {
      trace(requestId, 'hears from', upstream.name, response.status);
      for (const name of PASSED_HEADERS) {
        const value = response.headers.get(name);
        if (value !== null) headers[name] = value;
      }
      if (!response.ok) {
        observer?.failed('upstream_failed');
        const error = await upstreamFailure(response, upstream);
        leave();
        return Response.json({ error }, { status: response.status, headers });
      }
    }
    const type = isStream ? 'text/event-stream; charset=utf-8' : 'application/json';
    headers['content-type'] ??= type;
    if (isStream) headers['cache-control'] = 'no-cache';
    const texts = upstreamTexts(head, { isStream, path, upstream, interval: settings.keepAliveInterval });
    return new Response(bodyOf(texts, leave, exchange), { headers });
  } catch (thrown) {
    leave();
    throw thrown;
  }
}

/** The upstream's response; null when it is time to send a head without it. */
async function awaitHead(
  head: Promise<Response>,
  headTime: number,
  interval: number,
  clientGone: () => Promise<boolean>,
): Promise<Response | null> {
  const deadline = performance.now() + headTime;
  while (performance.now() < deadline) {
    const response = await withTimeout(Math.min(interval, deadline - performance.now()), head, null);
    if (response !== null) return response;
    if (await clientGone()) throw engineUnavailable('The client has left.');
  }
  return null;
}

function bodyOf(
  texts: AsyncGenerator<string, ApiError | null>,
  leave: () => void,
  { observer, requestId }: Exchange,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await texts.next();
        if (done !== true) return controller.enqueue(bytes.encode(value));
        trace(requestId, 'has ended:', value?.code ?? 'whole');
        if (value === null) observer?.completed();
        else observer?.failed(value.code);
        controller.close();
      } catch (thrown) {
        observer?.failed('upstream_failed');
        controller.error(thrown);
      }
      leave();
    },
    cancel() {
      observer?.cancelled();
      trace(requestId, 'was left by its client');
      leave();
    },
  });
}
