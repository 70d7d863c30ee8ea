import { ApiError } from '../../shared/api-error.ts';
import { quote } from '../../shared/describe-value.ts';

const [DEFAULT_LIMIT, MAX_LIMIT] = [20, 100];

export interface PageQuery {
  readonly limit: number;
  readonly order: 'asc' | 'desc';
  /** The page begins after the entry with this id; null means the first page. */
  readonly after: string | null;
  readonly all: URLSearchParams;
}

/**
 * Reads the query parameters `limit`, `order` and `after`.
 * @throws ApiError `invalid_value` if one of them is invalid; `param` names it.
 */
export function readPageQuery({ url }: Request, defaultOrder: PageQuery['order']): PageQuery {
  const all = new URL(url).searchParams;
  const limitText = all.get('limit') ?? String(DEFAULT_LIMIT);
  const limit = Number(limitText);
  if (!/^\d+$/.test(limitText) || limit < 1 || limit > MAX_LIMIT) {
    const sentence = `\`limit\` must be an integer from 1 to ${MAX_LIMIT}, but it is ${quote(limitText)}.`;
    throw new ApiError('invalid_value', sentence, { param: 'limit' });
  }
  const order = all.get('order') ?? defaultOrder;
  if (order !== 'asc' && order !== 'desc') {
    throw new ApiError('invalid_value', `\`order\` must be asc or desc, but it is ${quote(order)}.`, {
      param: 'order',
    });
  }
  return { limit, order, after: all.get('after'), all };
}

/** A page of a list, in the API's form. */
export interface ListPage<Entry> {
  readonly object: 'list';
  readonly data: readonly Entry[];
  readonly first_id: string | null;
  readonly last_id: string | null;
  readonly has_more: boolean;
}

/**
 * Returns the page of a list that the query requests.
 * @param entries All entries of the list, newest first.
 * @param read Returns what the page shows of an entry; null omits the entry. Called only for the entries that the page
 * needs.
 * @throws ApiError `invalid_value` if no entry has the id `after`.
 */
export async function listPage<Entry extends { readonly id: string }, Listed>(
  { limit, order, after }: Omit<PageQuery, 'all'>,
  entries: readonly Entry[],
  read: (entry: Entry) => Promise<Listed | null>,
): Promise<ListPage<Listed>> {
  const ordered = order === 'asc' ? entries.toReversed() : entries;
  const start = after === null ? 0 : ordered.findIndex(({ id }) => id === after) + 1;
  if (after !== null && start === 0) {
    throw new ApiError('invalid_value', `\`after\` is not the id of an entry of this list: ${quote(after)}.`, {
      param: 'after',
    });
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
