import { isData, MAX_VALUE_DEPTH, recordOf, stringsIn, textOf } from '../../../shared/json-values.ts';

/** Milliseconds by which a time may be in the future, because clocks may be wrong. */
const YEAR = 365 * 24 * 3600 * 1000;

/** Returns the first text that is not empty. */
export function firstText(...values: readonly unknown[]): string {
  return values.map(textOf).find((text) => text !== '') ?? '';
}

/** Returns the first id; empty if there is none. Databases count chats and messages by numbers. */
export function firstId(...values: readonly unknown[]): string {
  return firstText(...values.map((value) => (typeof value === 'number' ? String(value) : value)));
}

/**
 * Returns milliseconds since 1970, from milliseconds, seconds or an ISO date; null if the value is invalid or
 * implausible.
 */
export function timeOf(value: unknown): number | null {
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)) return timeOf(Date.parse(value));
  if (typeof value !== 'number' || !(value >= 1)) return null;
  const milliseconds = value > 1e11 ? value : value * 1000;
  return milliseconds < Date.now() + YEAR ? milliseconds : null;
}

/** Joins texts with empty lines; skips blank ones. */
export function joinTexts(texts: readonly string[]): string {
  return texts.filter((text) => text.trim() !== '').join('\n\n');
}

/** Fields whose strings are not written for people. */
const TECHNICAL =
  /^(?:id|uuid|object|type|content_?type|role|status|state|index|mime_?[tT]ype|format|encoding|model|created_?at|updated_?at|timestamp|asset_pointer|.*_pointer|.*_?ids?|.*Id|.*Identifier)$/;

/** Returns the strings in a value of unknown form that are written for people, each on lines of its own. */
export function wordsIn(value: unknown): string {
  return stringsIn(value, '\n', TECHNICAL);
}

/**
 * Returns the arguments of a call, or its result, as lines of names and values, without the quotes and escapes of JSON.
 * Of a part of text only the text.
 */
export function linesIn(value: unknown, depth = 0): string {
  if (typeof value === 'string') return isData(value) ? '' : value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'object' || value === null || depth > MAX_VALUE_DEPTH) return '';
  const { type, text } = recordOf(value);
  if (typeof text === 'string' && /^(?:(?:input|output)_)?text$/.test(textOf(type))) return text;
  return Object.entries(value)
    .map(([name, field]) => [name, linesIn(field, depth + 1)] as const)
    .filter(([, lines]) => lines.trim() !== '')
    .map(([name, lines]) =>
      Array.isArray(value) ? lines : lines.includes('\n') ? `${name}:\n${lines}` : `${name}: ${lines}`,
    )
    .join('\n');
}
