/**
 * Functions that read single values of untrusted files. Each returns an empty value or null for a value of another
 * type.
 */

/** Milliseconds by which a time may be in the future, because clocks may be wrong. */
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

/** Returns milliseconds since 1970, from milliseconds or seconds; null if the value is invalid or implausible. */
export function timeOf(value: unknown): number | null {
  if (typeof value !== 'number' || !(value >= 1)) return null;
  const milliseconds = value > 1e11 ? value : value * 1000;
  return milliseconds < Date.now() + YEAR ? milliseconds : null;
}

/** Joins texts with empty lines; skips blank ones. */
export function joinTexts(texts: readonly string[]): string {
  return texts.filter((text) => text.trim() !== '').join('\n\n');
}
