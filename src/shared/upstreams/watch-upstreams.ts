/** The part of the database of upstreams that has changed. */
export type UpstreamChange = 'permissions' | 'requests';

/** Name of the BroadcastChannel that announces each {@link UpstreamChange} to pages. */
export const UPSTREAM_CHANNEL = 'tabserve/upstreams';

/**
 * Calls `changed` after a permission has changed or a request was sent, in any tab or worker.
 * @returns a function that stops watching.
 */
export function watchUpstreams(changed: (what: UpstreamChange) => void): () => void {
  const channel = new BroadcastChannel(UPSTREAM_CHANNEL);
  channel.addEventListener('message', ({ data }: MessageEvent<UpstreamChange>) => changed(data));
  return () => channel.close();
}
