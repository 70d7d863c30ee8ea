import { ApiError } from '../shared/api-error.ts';
import { quote } from '../shared/describe-value.ts';

const [DEFAULT_LIMIT, MOST] = [20, 100];

/** Which part of a list is wanted. */
export interface PageQuery {
  readonly limit: number;
  readonly order: 'asc' | 'desc';
  /** The page begins behind the entry of this id; null at the start. */
  readonly after: string | null;
  /** Everything that the address asks for. */
  readonly all: URLSearchParams;
}

export interface ListPage<Entry> {
  readonly object: 'list';
  readonly data: readonly Entry[];
  readonly first_id: string | null;
  readonly last_id: string | null;
  readonly has_more: boolean;
}

/**
 * Reads `limit`, `order` and `after` of an address.
 * @throws ApiError `invalid_value` that names what is wrong.
 */
export function readPageQuery({ url }: Request, defaultOrder: PageQuery['order']): PageQuery {
  const all = new URL(url).searchParams;
  const limit = Number(all.get('limit') ?? DEFAULT_LIMIT);
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST) {
    throw new ApiError(
      'invalid_value',
      `\`limit\` must be an integer from 1 to ${MOST}, but it is ${quote(all.get('limit') ?? '')}.`,
      {
        param: 'limit',
      },
    );
  }
  const order = all.get('order') ?? defaultOrder;
  if (order !== 'asc' && order !== 'desc') {
    throw new ApiError('invalid_value', `\`order\` must be asc or desc, but it is ${quote(order)}.`, {
      param: 'order',
    });
  }
  return { limit, order, after: all.get('after'), all };
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
