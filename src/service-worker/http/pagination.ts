import { invalid, oneOf } from '../request/checks.ts';

const LIMITS: readonly [number, number] = [20, 100];

export interface PageQuery {
  readonly limit: number;
  readonly order: 'asc' | 'desc';
  /** The page begins after the entry with this id; null means the first page. */
  readonly after: string | null;
  /** The page ends before the entry with this id. Not with `after`. Default: no such end. */
  readonly before?: string | null;
  readonly all: URLSearchParams;
}

/**
 * Reads the query parameters `limit`, `order` and `after`.
 * @param limits The default and the largest value of `limit`.
 * @throws ApiError `invalid_value` if one of them is invalid; `param` names it.
 */
export function readPageQuery(
  { url }: Request,
  defaultOrder: PageQuery['order'],
  [defaultLimit, maxLimit] = LIMITS,
): PageQuery {
  const all = new URL(url).searchParams;
  const limitText = all.get('limit') ?? String(defaultLimit);
  const limit = Number(limitText);
  if (!/^\d+$/.test(limitText) || limit < 1 || limit > maxLimit) {
    throw invalid('invalid_value', 'limit', `an integer from 1 to ${maxLimit}`, limitText);
  }
  const order = oneOf(['asc', 'desc'])(all.get('order') ?? defaultOrder, 'order', {});
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
 * @param entries All entries of the list, newest first, also those that a changeable filter omits: the page may begin after
 * one that has passed the filter before.
 * @param read Returns what the page shows of an entry; null omits the entry. Called only for the entries that the page
 * needs.
 * @throws ApiError `invalid_value` if no entry has the id `after`.
 */
export async function listPage<Entry extends { readonly id: string }, Listed>(
  { limit, order, after, before = null }: Omit<PageQuery, 'all'>,
  entries: readonly Entry[],
  read: (entry: Entry) => Promise<Listed | null> | Listed | null,
): Promise<ListPage<Listed>> {
  const ordered = order === 'asc' ? entries.toReversed() : entries;
  const place = (id: string | null, param: string) => {
    const index = ordered.findIndex((entry) => entry.id === id);
    if (id === null || index >= 0) return index;
    throw invalid('invalid_value', param, 'the id of an entry of this list', id);
  };
  const [start, end] = [place(after, 'after') + 1, place(before, 'before')];
  const isBackwards = end >= 0;
  const candidates = isBackwards ? ordered.slice(start, end).toReversed() : ordered.slice(start);
  const found: { readonly id: string; readonly listed: Listed }[] = [];
  for (const entry of candidates) {
    const listed = await read(entry);
    if (listed !== null) found.push({ id: entry.id, listed });
    if (found.length > limit) break;
  }
  const nearest = found.slice(0, limit);
  const page = isBackwards ? nearest.toReversed() : nearest;
  return {
    object: 'list',
    data: page.map(({ listed }) => listed),
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
    has_more: found.length > limit,
  };
}
