import { ApiError } from '../../shared/api-error.ts';
import { INDEXING_STATES, type IndexingState } from '../../shared/documents/document-objects.ts';
import type { Exchange } from '../http/exchange.ts';
import { readPageQuery, type PageQuery } from '../http/pagination.ts';
import { oneOf, optional } from '../request/checks.ts';

export interface DocumentQuery extends PageQuery {
  /** Only files in this state are listed. Null: all. */
  readonly filter: IndexingState | null;
}

/**
 * Reads the query parameters of a list of vector stores or of their files.
 * @throws ApiError `invalid_value` if one of them is invalid; `param` names it.
 */
export function readDocumentQuery({ request }: Exchange): DocumentQuery {
  const query = readPageQuery(request, 'desc');
  const before = query.all.get('before');
  if (before !== null && query.after !== null) {
    throw new ApiError('invalid_value', 'A list has either `after` or `before`, but not both.', { param: 'before' });
  }
  return { ...query, before, filter: optional(null, oneOf(INDEXING_STATES))(query.all.get('filter'), 'filter', {}) };
}
