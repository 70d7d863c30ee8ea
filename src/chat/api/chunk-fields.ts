/** Functions that read single values of a server's JSON. Each returns an empty value for a value of another type. */

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Fields whose strings are not written for people. */
const TECHNICAL =
  /^(?:id|object|type|model|created|created_at|createdAt|role|index|event|status|provider|system_fingerprint|service_tier|finish_?reason|done_reason|stop_reason|native_finish_reason|logprobs|usage|obfuscation|content_filter_results|prompt_filter_results|timestamp|mime_?type|.*_id)$/i;

/** Most levels of nested values that {@link wordsIn} reads. */
const MAX_DEPTH = 20;

/** Returns the strings in a value of unknown form, without those that are not written for people. */
export function wordsIn(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return '';
  return Object.entries(value)
    .filter(([name]) => Array.isArray(value) || !TECHNICAL.test(name))
    .map(([, field]) => wordsIn(field, depth + 1))
    .filter((words) => words !== '')
    .join(' ');
}
