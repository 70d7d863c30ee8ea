import { ApiError } from '../../shared/api-error.ts';
import { withTimeout } from '../../shared/timeout.ts';
import type { UpstreamPermission } from '../../shared/upstreams/upstream-database.ts';
import { upstreamInfo, type Upstream } from '../../shared/upstreams/upstream.ts';
import type { PassedRequest, UpstreamDependencies } from './upstreams.ts';

/** Seconds without a byte after which an upstream is given up, where the site does not say. */
const TIMEOUT = 300;

/** Milliseconds of {@link TIMEOUT}, or of what the site says. */
function silenceTime({ timeout = TIMEOUT }: Upstream): number {
  return timeout * 1000;
}

/**
 * Asks an upstream for an answer, once it is written down that it is asked.
 * @throws ApiError `upstream_failed`, `upstream_timeout`.
 */
export function askUpstream(
  { upstream, permission, path, body, model }: PassedRequest,
  dependencies: UpstreamDependencies,
  signal: AbortSignal,
): Promise<Response> {
  const { modelNames = {} } = upstream;
  const name = Object.hasOwn(modelNames, model) ? modelNames[model] : model;
  const text = name === model ? body.text : JSON.stringify({ ...(body.value as object), model: name });
  const bytes = new TextEncoder().encode(text);
  const asked = send(upstream, permission, dependencies, { method: 'POST', path, body: bytes, signal });
  return inTime(upstream, asked);
}

interface SentMessage {
  readonly method: string;
  readonly path: string;
  readonly body: Uint8Array<ArrayBuffer> | null;
  readonly signal: AbortSignal;
}

/** @throws ApiError `upstream_failed` when no response comes. */
export async function send(
  upstream: Upstream,
  permission: UpstreamPermission,
  { fetch, addSentRequest }: UpstreamDependencies,
  { method, path, body, signal }: SentMessage,
): Promise<Response> {
  const { name, baseUrl, key = null } = upstream;
  const bearer = permission.key ?? key;
  const address = baseUrl + path;
  await addSentRequest({ time: Date.now(), upstream: name, method, address, bytes: body?.byteLength ?? 0 });
  const init: RequestInit = {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
    },
    body,
    signal,
    // Nothing of the visitor but what was asked; and not another host than the one that was agreed to.
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    redirect: 'error',
    cache: 'no-store',
  };
  return fetch(address, init).catch((cause: unknown) => {
    const { origin } = upstreamInfo(upstream);
    const message = `${name} (${origin}) cannot be reached: it is not running, does not let this site call it (CORS), redirects, or this site's Content-Security-Policy does not name it.`;
    throw new ApiError('upstream_failed', message, { cause });
  });
}

/** What comes of a promise of an upstream. @throws ApiError `upstream_timeout` when it says nothing for too long. */
export async function inTime<Value>(upstream: Upstream, promise: Promise<Value>): Promise<Value> {
  const late = new ApiError(
    'upstream_timeout',
    `${upstream.name} has said nothing for ${silenceTime(upstream) / 1000} seconds.`,
  );
  const value = await withTimeout(silenceTime(upstream), promise, late);
  if (value === late) throw late;
  return value as Value;
}
