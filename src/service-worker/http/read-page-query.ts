import { ApiError } from '../../shared/api-error.ts';
import { quote } from '../../shared/describe-value.ts';

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

/**
 * Reads `limit`, `order` and `after` of an address.
 * @throws ApiError `invalid_value` that names what is wrong.
 */
export function readPageQuery({ url }: Request, defaultOrder: PageQuery['order']): PageQuery {
  const all = new URL(url).searchParams;
  const limit = Number(all.get('limit') ?? DEFAULT_LIMIT);
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST) {
    const sentence = `\`limit\` must be an integer from 1 to ${MOST}, but it is ${quote(all.get('limit') ?? '')}.`;
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
