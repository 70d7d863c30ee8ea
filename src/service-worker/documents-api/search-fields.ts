import type { AttributeFilter } from '../../shared/documents/document-objects.ts';
import {
  array,
  decimal,
  described,
  invalid,
  isAbsent,
  membersOf,
  object,
  oneOf,
  optional,
  required,
  text,
  unsupported,
  type Check,
} from '../request/checks.ts';

const COMPARISONS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'] as const;
const FILTERS = [...COMPARISONS, 'in', 'nin', 'and', 'or'] as const;

/** How deeply filters may be nested. */
const MAX_DEPTH = 10;

/** How many comparisons a filter may have, those with each value of a list included: each is made with each file. */
const MAX_COMPARISONS = 1000;

const isSimple = (value: unknown): value is string | number =>
  typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value));

function filterAt(depth: number): Check<AttributeFilter> {
  return (value, param, body) => {
    const member = membersOf(value, param, body);
    const type = member('type', required(oneOf(FILTERS)));
    if (type === 'and' || type === 'or') {
      if (depth === MAX_DEPTH) throw invalid('invalid_value', param, `nested at most ${MAX_DEPTH} times`, value);
      const inner = member('filters', required(array));
      if (inner.length === 0) throw invalid('empty_array', `${param}.filters`, 'an array of filters', inner);
      return { type, filters: inner.map((one, index) => filterAt(depth + 1)(one, `${param}.filters[${index}]`, body)) };
    }
    const key = member('key', required(text));
    const { value: given } = object(value, param, body);
    const path = `${param}.value`;
    if (type === 'in' || type === 'nin') {
      const values = required(array)(given, path, body);
      if (values.every(isSimple)) return { type, key, value: values };
      throw invalid('invalid_type', path, 'an array of texts and numbers', given);
    }
    if (isSimple(given) || typeof given === 'boolean') return { type, key, value: given };
    throw invalid(
      isAbsent(given) ? 'missing_required_parameter' : 'invalid_type',
      path,
      'a text, a number, true or false',
      given,
    );
  };
}

/** Reads a condition on the attributes of files. */
export const attributeFilter = described<AttributeFilter>(
  { type: 'object', required: ['type'] },
  (value, param, body) => {
    const filter = filterAt(0)(value, param, body);
    if (comparisonsOf(filter) <= MAX_COMPARISONS) return filter;
    throw invalid('invalid_value', param, `a filter with at most ${MAX_COMPARISONS} comparisons`, value);
  },
);

function comparisonsOf(filter: AttributeFilter): number {
  if (filter.type === 'and' || filter.type === 'or')
    return filter.filters.reduce((sum, part) => sum + comparisonsOf(part), 0);
  return filter.type === 'in' || filter.type === 'nin' ? filter.value.length : 1;
}

/** Reads `ranking_options`, of which only the lowest score of a result has an effect. */
export const rankingOptions = described<number>({ type: 'object' }, (value, param, body) => {
  const member = membersOf(value, param, body);
  member('ranker', optional(null, oneOf(['none', 'auto', 'default-2024-11-15', 'default_2024_08_21'])));
  member('hybrid_search', unsupported());
  return member('score_threshold', optional(0, decimal({ min: 0, max: 1 })));
});
