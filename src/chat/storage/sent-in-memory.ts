import type { SentRequest } from '../../shared/upstreams/sent-request.ts';
import { listSentRequests } from '../../shared/upstreams/upstream-database.ts';
import { watchUpstreams } from '../../shared/upstreams/watch-upstreams.ts';

/**
 * The requests of temporary chats to upstreams, oldest first, also of those in other tabs, because they are told to all
 * pages. They are listed until this page is closed.
 */
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
 * Lists the requests to upstreams, newest first: the stored ones and, if this page has had a temporary chat, those of temporary
 * chats since then.
 * @throws ApiError `storage_unavailable` if the database cannot be opened.
 */
export async function sentRequests(): Promise<readonly SentRequest[]> {
  return [...(await listSentRequests()), ...inMemory].toSorted((a, b) => b.time - a.time);
}
