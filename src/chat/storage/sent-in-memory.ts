import type { SentRequest } from '../../shared/upstreams/sent-request.ts';
import { listSentRequests } from '../../shared/upstreams/upstream-database.ts';
import { watchUpstreams } from '../../shared/upstreams/watch-upstreams.ts';

/** The requests of temporary chats to upstreams, oldest first. They are listed until this page is closed. */
const inMemory: SentRequest[] = [];

let isWatching = false;

/** Begins to keep the requests of temporary chats in memory. */
export function keepSentInMemory(): void {
  if (isWatching) return;
  isWatching = true;
  watchUpstreams((change) => {
    if (typeof change === 'object') inMemory.push(change);
  });
}

/**
 * Lists the requests to upstreams, newest first: the stored ones and those of this page's temporary chats.
 * @throws ApiError `storage_unavailable` if the database cannot be opened.
 */
export async function sentRequests(): Promise<readonly SentRequest[]> {
  return [...(await listSentRequests()), ...inMemory].toSorted((a, b) => b.time - a.time);
}
