/** Readers of single values of a file that anybody may have written: each takes what it is named after, or else nothing. */

/** A time far enough in the future to be none: clocks may be wrong by a year. */
const YEAR = 365 * 24 * 3600 * 1000;

export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A time in milliseconds since 1970, given in those or in seconds; null where it is none, or not of our days. */
export function timeOf(value: unknown): number | null {
  if (typeof value !== 'number' || !(value >= 1)) return null;
  const milliseconds = value > 1e11 ? value : value * 1000;
  return milliseconds < Date.now() + YEAR ? milliseconds : null;
}

/** Pieces of one text, divided by empty lines; those that say nothing are left out. */
export function joinTexts(texts: readonly string[]): string {
  return texts.filter((text) => text.trim() !== '').join('\n\n');
}
