const LONGEST_VALUE = 100;

/**
 * A value of a request as an error message shows it. Arrays and objects are only counted: they may be
 * megabytes, or nested so deeply that writing them out would overflow the stack.
 */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
}

/** A text in quotation marks, shortened to 100 characters, of which none is cut in half. */
export function quote(text: string): string {
  if (text.length <= LONGEST_VALUE) return JSON.stringify(text);
  return JSON.stringify(`${text.slice(0, LONGEST_VALUE - 1).replace(/[\uD800-\uDBFF]$/, '')}…`);
}
