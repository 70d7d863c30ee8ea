import { listUpstreamPermissions } from '../../shared/upstreams/upstream-database.ts';
import { sentRequests } from '../storage/sent-in-memory.ts';

/**
 * Hosts of the upstreams that the user has allowed, and of those that have got a request, also after the permission was
 * revoked.
 * @throws ApiError `storage_unavailable` if the database cannot be opened.
 */
export async function askedServers(): Promise<readonly string[]> {
  const [permissions, sent] = await Promise.all([listUpstreamPermissions(), sentRequests()]);
  const addresses = [...permissions.map(({ origin }) => origin), ...sent.map(({ address }) => address)];
  return [...new Set(addresses.map((address) => new URL(address).host))];
}
