import type { SentRequest } from './sent-request.ts';

/** The part of the database of upstreams that has changed, or a request that is not stored in it. */
export type UpstreamChange = 'permissions' | 'requests' | SentRequest;

/** Name of the BroadcastChannel that announces each {@link UpstreamChange} to pages. */
const UPSTREAM_CHANNEL = 'tabserve/upstreams';

/** Tells the pages of a change. */
export function announceUpstreamChange(change: UpstreamChange): void {
  const channel = new BroadcastChannel(UPSTREAM_CHANNEL);
  channel.postMessage(change);
  channel.close();
}

/**
 * Calls `changed` after a permission has changed or a request was sent, in any tab or worker.
 * @returns a function that stops watching.
 */
export function watchUpstreams(changed: (what: UpstreamChange) => void): () => void {
  const channel = new BroadcastChannel(UPSTREAM_CHANNEL);
  channel.addEventListener('message', ({ data }: MessageEvent<UpstreamChange>) => changed(data));
  return () => channel.close();
}
