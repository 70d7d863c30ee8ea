import { ApiError } from '../../shared/api-error.ts';
import { withTimeout } from '../../shared/timeout.ts';
import { upstreamInfo, type Upstream } from '../../shared/upstreams/upstream.ts';
import { notAllowed } from './upstream-offer.ts';
import type { ForwardedRequest, UpstreamDependencies } from './upstreams.ts';

/** Seconds without a byte after which a request to an upstream fails, unless the upstream's `timeout` is set. */
const TIMEOUT = 300;

/** Returns the timeout of an upstream in milliseconds. */
function silenceTime({ timeout = TIMEOUT }: Upstream): number {
  return timeout * 1000;
}

/**
 * Sends a forwarded request, with the name that the upstream has for the model.
 * @throws ApiError `upstream_failed` if the upstream cannot be reached; `upstream_timeout` if it does not respond in
 * time.
 */
export function postToUpstream(
  { upstream, path, body, model }: ForwardedRequest,
  dependencies: UpstreamDependencies,
  signal: AbortSignal,
): Promise<Response> {
  const { modelNames = {} } = upstream;
  const name = Object.hasOwn(modelNames, model) ? modelNames[model] : model;
  const text = name === model ? body.text : JSON.stringify({ ...(body.value as object), model: name });
  const bytes = new TextEncoder().encode(text);
  const asked = sendToUpstream(upstream, dependencies, { method: 'POST', path, body: bytes, signal });
  return withSilenceTimeout(upstream, asked);
}

interface UpstreamMessage {
  readonly method: string;
  readonly path: string;
  readonly body: Uint8Array<ArrayBuffer> | null;
  readonly signal: AbortSignal;
}

/**
 * Records a request, then sends it. Looks up the permission here, because it may have been revoked, or another key entered,
 * since the request came: a model was loaded, or other requests were answered before. Looks it up again after the request is
 * recorded, which takes time on a busy disk: a request may then be listed that was not sent, but none is sent unlisted.
 * @throws ApiError `upstream_not_allowed`; `upstream_failed` if the upstream cannot be reached.
 */
export async function sendToUpstream(
  upstream: Upstream,
  { fetch, findPermission, addSentRequest }: UpstreamDependencies,
  { method, path, body, signal }: UpstreamMessage,
): Promise<Response> {
  const { name, baseUrl, key = null } = upstream;
  const address = baseUrl + path;
  const permitted = async () => {
    const permission = await findPermission(upstreamInfo(upstream).origin);
    if (permission === null) throw notAllowed(upstream);
    return permission;
  };
  await permitted();
  await addSentRequest({ time: Date.now(), upstream: name, method, address, bytes: body?.byteLength ?? 0 });
  // What a person copied may have blanks, quotation marks or invisible characters around it; no header takes some of them.
  // Letters such as ü, which a key may have, remain.
  const bearer = (await permitted()).key?.replace(/[^\x21-\x7e\xc0-\xff]+/g, '') || key;
  const init: RequestInit = {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
    },
    body,
    signal,
    // The request carries no cookies or other facts about the user, and follows no redirect, even to the same host.
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    redirect: 'error',
    cache: 'no-store',
  };
  return fetch(address, init).catch((cause: unknown) => {
    const { origin } = upstreamInfo(upstream);
    const message = `${name} (${origin}) cannot be reached: it is not running, does not let this site call it (CORS), redirects, or this site's Content-Security-Policy or Connection-Allowlist does not name it.`;
    throw new ApiError('upstream_failed', message, { cause });
  });
}

/**
 * Waits for the next bytes of an upstream.
 * @throws ApiError `upstream_timeout` if `promise` does not settle within the upstream's timeout.
 */
export async function withSilenceTimeout<Value>(upstream: Upstream, promise: Promise<Value>): Promise<Value> {
  const late = new ApiError(
    'upstream_timeout',
    `${upstream.name} has sent nothing for ${silenceTime(upstream) / 1000} seconds.`,
  );
  const value = await withTimeout(silenceTime(upstream), promise, late);
  if (value === late) throw late;
  return value as Value;
}
