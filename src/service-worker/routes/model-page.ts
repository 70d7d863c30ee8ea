import { invalid } from '../request/checks.ts';

const MAX_LIMIT = 1000;

export interface ModelPage<Model> {
  readonly models: readonly Model[];
  /** The fields of the Messages API that describe the page. */
  readonly fields: { readonly has_more: boolean; readonly first_id: string | null; readonly last_id: string | null };
  /** Whether the request asks for a page, rather than for the whole list. */
  readonly isAsked: boolean;
}

/**
 * Returns the page of a list of models that the query parameters `limit`, `after_id` and `before_id` of the Messages API ask
 * for. Default: all models.
 * @param isStrict Whether the request is one of that API. In others an empty parameter is ignored, and a limit that is too
 * small or too large counts as the smallest or the largest.
 * @throws ApiError `invalid_value` if one of them is invalid; `param` names it.
 */
export function modelPage<Model extends { readonly id: string }>(
  models: readonly Model[],
  { url }: Request,
  isStrict: boolean,
): ModelPage<Model> {
  const query = new URLSearchParams(
    [...new URL(url).searchParams].filter(([, value]) => isStrict || value.trim() !== ''),
  );
  const limit = readLimit(query.get('limit'), isStrict);
  const after = placeOf(models, query, 'after_id');
  const before = placeOf(models, query, 'before_id');
  const within = models.slice((after ?? -1) + 1, before ?? models.length);
  // A page that is asked for by its end is the last one before that.
  const page = before === null || after !== null ? within.slice(0, limit) : within.slice(-limit);
  return {
    models: page,
    fields: { has_more: page.length < within.length, first_id: page[0]?.id ?? null, last_id: page.at(-1)?.id ?? null },
    isAsked: ['limit', 'after_id', 'before_id'].some((name) => query.has(name)),
  };
}

function readLimit(given: string | null, isStrict: boolean): number {
  if (given === null) return Infinity;
  const limit = Math.min(MAX_LIMIT, Math.max(1, Number(given)));
  if (/^-?\d+$/.test(given) && (!isStrict || limit === Number(given))) return limit;
  throw invalid('invalid_value', 'limit', `an integer from 1 to ${MAX_LIMIT}`, given);
}

/** Returns the place of the model that a query parameter names; null without the parameter. */
function placeOf(models: readonly { readonly id: string }[], query: URLSearchParams, param: string): number | null {
  const id = query.get(param);
  if (id === null) return null;
  const place = models.findIndex((model) => model.id === id);
  if (place >= 0) return place;
  throw invalid('invalid_value', param, 'the id of an entry of this list', id);
}
