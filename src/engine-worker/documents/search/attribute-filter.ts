/** What a caller stores with a file, to filter by. */
type AttributeValue = string | number | boolean;
export type Attributes = Readonly<Record<string, AttributeValue>>;

/** A filter over the attributes of files, as in OpenAI's API. */
export type AttributeFilter =
  | { readonly type: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte'; readonly key: string; readonly value: AttributeValue }
  | { readonly type: 'in' | 'nin'; readonly key: string; readonly value: readonly AttributeValue[] }
  | { readonly type: 'and' | 'or'; readonly filters: readonly AttributeFilter[] };

/**
 * Whether a file has the attributes that a filter asks for. Values of different types differ and are in no order. A file
 * without the attribute matches `ne` and `nin` only.
 */
export function matchesFilter(filter: AttributeFilter, attributes: Attributes): boolean {
  switch (filter.type) {
    case 'and':
      return filter.filters.every((part) => matchesFilter(part, attributes));
    case 'or':
      return filter.filters.some((part) => matchesFilter(part, attributes));
    case 'in':
      return Object.hasOwn(attributes, filter.key) && filter.value.includes(attributes[filter.key]!);
    case 'nin':
      return !Object.hasOwn(attributes, filter.key) || !filter.value.includes(attributes[filter.key]!);
    default: {
      const value = Object.hasOwn(attributes, filter.key) ? attributes[filter.key]! : null;
      if (filter.type === 'eq') return value === filter.value;
      if (filter.type === 'ne') return value !== filter.value;
      return value !== null && typeof value === typeof filter.value && compares(filter.type, value, filter.value);
    }
  }
}

function compares(type: 'gt' | 'gte' | 'lt' | 'lte', value: AttributeValue, limit: AttributeValue): boolean {
  if (type === 'gt') return value > limit;
  if (type === 'gte') return value >= limit;
  return type === 'lt' ? value < limit : value <= limit;
}
