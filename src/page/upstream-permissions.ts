import { ApiError } from '../shared/api-error.ts';
import type { ListUpstreamsMessage, ListUpstreamsReply } from '../shared/messaging/messages.ts';
import { withTimeout } from '../shared/timeout.ts';
import {
  deleteUpstreamPermission,
  listUpstreamPermissions,
  setUpstreamPermission,
  UPSTREAM_CHANNEL,
  type UpstreamChange,
} from '../shared/upstreams/upstream-database.ts';
import type { UpstreamInfo } from '../shared/upstreams/upstream.ts';

/** Milliseconds that a service worker may take to start and to answer. */
const TIME_LIMIT = 10_000;

/** An upstream that the site has named, and what the user has said to it. */
export interface UpstreamState extends UpstreamInfo {
  /** Whether requests may be sent to its origin. */
  readonly allowed: boolean;
  /** Whether a key that the user typed is stored for it. Nothing gives that key back. */
  readonly hasKey: boolean;
}

/**
 * The upstreams that this site's service worker was installed with; none where it was not, or where it does not answer.
 * @throws ApiError `storage_unavailable`.
 */
export async function listUpstreams(): Promise<readonly UpstreamState[]> {
  const configured = await withTimeout(TIME_LIMIT, askServiceWorker(), []);
  if (configured.length === 0) return [];
  const permissions = await listUpstreamPermissions();
  return configured.map((upstream) => {
    const permission = permissions.find(({ origin }) => origin === upstream.origin);
    return { ...upstream, allowed: permission !== undefined, hasKey: permission?.hasKey ?? false };
  });
}

/**
 * Lets requests be sent to the origin of an upstream, from now on and until {@link revokeUpstream}. Call it where the user
 * has said so, knowing where the questions go then: outside of a click it is refused.
 *
 * @param name Of the upstream.
 * @param key Its key, where the user has one. It goes before the site's. Default: none.
 * @throws ApiError `upstream_not_allowed` outside of a click, or for a name that the site does not know;
 *   `storage_unavailable`.
 */
export async function allowUpstream(
  name: string,
  { key = null }: { readonly key?: string | null } = {},
): Promise<void> {
  if (!navigator.userActivation.isActive) {
    throw new ApiError('upstream_not_allowed', 'allowUpstream() is to be called where the user has clicked.');
  }
  await setUpstreamPermission({ origin: await originOf(name), granted: Date.now(), key });
}

/**
 * Takes the permission back, for every tab and from the very next request on, and forgets the key.
 * @throws ApiError `upstream_not_allowed` for a name that the site does not know; `storage_unavailable`.
 */
export async function revokeUpstream(name: string): Promise<void> {
  await deleteUpstreamPermission(await originOf(name));
}

/**
 * Calls back with what has changed: `permissions`, or `requests` when one was sent, in whichever tab or worker.
 * @returns a function that ends it.
 */
export function watchUpstreams(changed: (what: UpstreamChange) => void): () => void {
  const channel = new BroadcastChannel(UPSTREAM_CHANNEL);
  channel.addEventListener('message', ({ data }: MessageEvent<UpstreamChange>) => changed(data));
  return () => channel.close();
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
