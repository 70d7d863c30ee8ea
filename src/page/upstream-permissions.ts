import { ApiError } from '../shared/api-error.ts';
import type { ListUpstreamsMessage, ListUpstreamsReply } from '../shared/messaging/messages.ts';
import { withTimeout } from '../shared/timeout.ts';
import {
  deleteUpstreamPermission,
  listUpstreamPermissions,
  setUpstreamPermission,
} from '../shared/upstreams/upstream-database.ts';
import type { UpstreamInfo } from '../shared/upstreams/upstream.ts';

/** Milliseconds for a service worker to start and to reply. */
const REPLY_TIMEOUT = 10_000;

/** An upstream of the site and the user's permission for it. */
export interface UpstreamState extends UpstreamInfo {
  /** Whether requests may be sent to its origin. */
  readonly allowed: boolean;
  /** Whether the user has entered a key for it. The key itself cannot be read. */
  readonly hasKey: boolean;
}

/**
 * The upstreams that this site's service worker was installed with; empty if it does not reply.
 * @throws ApiError `storage_unavailable` if the database of permissions cannot be opened.
 */
export async function listUpstreams(): Promise<readonly UpstreamState[]> {
  const configured = await withTimeout(REPLY_TIMEOUT, askServiceWorker(), []);
  if (configured.length === 0) return [];
  const permissions = await listUpstreamPermissions();
  return configured.map((upstream) => {
    const permission = permissions.find(({ origin }) => origin === upstream.origin);
    return { ...upstream, allowed: permission !== undefined, hasKey: permission?.hasKey ?? false };
  });
}

/**
 * Permits requests to the origin of an upstream until {@link revokeUpstream} is called. Call it in response to the
 * user's click, after telling them where their prompts will go.
 *
 * @param name Name of the upstream.
 * @param key The user's API key, which takes precedence over the site's. Default: the site's key, if it has one.
 * @throws ApiError `upstream_not_allowed` without user activation, or for an unknown name; `storage_unavailable` if the
 * database of permissions cannot be opened.
 */
export async function allowUpstream(
  name: string,
  { key = null }: { readonly key?: string | null } = {},
): Promise<void> {
  if (!navigator.userActivation.isActive) {
    throw new ApiError(
      'upstream_not_allowed',
      'allowUpstream() must be called in the handler of a click or another user action.',
    );
  }
  await setUpstreamPermission({ origin: await originOf(name), granted: Date.now(), key });
}

/**
 * Revokes the permission in all tabs, from the next request on, and deletes the user's key.
 * @throws ApiError `upstream_not_allowed` for an unknown name; `storage_unavailable` if the database of permissions
 * cannot be opened.
 */
export async function revokeUpstream(name: string): Promise<void> {
  await deleteUpstreamPermission(await originOf(name));
}

async function originOf(name: string): Promise<string> {
  const upstream = (await listUpstreams()).find((upstream) => upstream.name === name);
  if (upstream !== undefined) return upstream.origin;
  throw new ApiError('upstream_not_allowed', `This site's service worker knows no upstream ${JSON.stringify(name)}.`);
}

async function askServiceWorker(): Promise<ListUpstreamsReply> {
  const { serviceWorker } = navigator;
  const worker = serviceWorker?.controller ?? (await serviceWorker?.ready)?.active;
  if (!worker) return [];
  const { port1, port2 } = new MessageChannel();
  const reply = new Promise<ListUpstreamsReply>((resolve) => {
    port1.addEventListener('message', ({ data }: MessageEvent<ListUpstreamsReply>) => {
      resolve(data);
      port1.close();
    });
  });
  port1.start();
  worker.postMessage({ type: 'tabserve/upstreams' } satisfies ListUpstreamsMessage, [port2]);
  return reply;
}
