const MAX_CHARACTERS = 100;

/**
 * Describes a request's value for an error message. Arrays and objects are not printed: they may be megabytes long, or
 * nested so deeply that printing them would overflow the stack.
 */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
}

/** Quotes a text, shortened to 100 UTF-16 units without splitting a surrogate pair. */
export function quote(text: string): string {
  if (text.length <= MAX_CHARACTERS) return JSON.stringify(text);
  return JSON.stringify(`${text.slice(0, MAX_CHARACTERS - 1).replace(/[\uD800-\uDBFF]$/, '')}…`);
}
