import { ApiError } from '../../shared/api-error.ts';
import { quote } from '../../shared/describe-value.ts';
import type { PageQuery } from './read-page-query.ts';

export interface ListPage<Entry> {
  readonly object: 'list';
  readonly data: readonly Entry[];
  readonly first_id: string | null;
  readonly last_id: string | null;
  readonly has_more: boolean;
}

/**
 * One page of a list, as the API's lists are.
 * @param entries Newest first.
 * @param read Makes what is listed of one of them; null leaves it out. Only called for what the page needs.
 */
export async function listPage<Entry extends { readonly id: string }, Listed>(
  { limit, order, after }: Omit<PageQuery, 'all'>,
  entries: readonly Entry[],
  read: (entry: Entry) => Promise<Listed | null>,
): Promise<ListPage<Listed>> {
  const ordered = order === 'asc' ? entries.toReversed() : entries;
  const start = after === null ? 0 : ordered.findIndex(({ id }) => id === after) + 1;
  if (after !== null && start === 0) {
    throw new ApiError('invalid_value', `\`after\` names nothing of this list: ${quote(after)}.`, { param: 'after' });
  }
  const found: { readonly id: string; readonly listed: Listed }[] = [];
  for (const entry of ordered.slice(start)) {
    const listed = await read(entry);
    if (listed !== null) found.push({ id: entry.id, listed });
    if (found.length > limit) break;
  }
  const page = found.slice(0, limit);
  return {
    object: 'list',
    data: page.map(({ listed }) => listed),
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
    has_more: found.length > limit,
  };
}
