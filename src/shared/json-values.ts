/**
 * Functions that read single values of untrusted JSON: of files and of other servers. Each returns an empty value or null
 * for a value of another type.
 */

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

export function recordOf(value: unknown): Fields {
  return fieldsOf(value) ?? {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Parses JSON; undefined if the text is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Most levels of nested values that are read. */
export const MAX_VALUE_DEPTH = 100;

/** Whether a text is data for programs, such as an image in base64. */
export function isData(text: string): boolean {
  return /^data:[^,\s]*;base64,/.test(text) || (text.length > 400 && /^[\w+/=-]+$/.test(text));
}

/**
 * Returns the strings in a value of unknown form, without those that are for programs.
 * @param separator Stands between two strings.
 * @param technical Matches the names of fields whose strings are not written for people.
 */
export function stringsIn(value: unknown, separator: string, technical: RegExp, depth = 0): string {
  if (typeof value === 'string') return isData(value) ? '' : value;
  if (typeof value !== 'object' || value === null || depth > MAX_VALUE_DEPTH) return '';
  return Object.entries(value)
    .filter(([name]) => Array.isArray(value) || !technical.test(name))
    .map(([, field]) => stringsIn(field, separator, technical, depth + 1))
    .filter((words) => words.trim() !== '')
    .join(separator);
}
