/** Matches the characters that must be escaped within a JSON string. */
// oxlint-disable-next-line no-control-regex
const SPECIAL = /["\\\u0000-\u001f]/g;

/**
 * Escapes a part of a text for a JSON string, without quotation marks. Unlike `JSON.stringify` it leaves each half of a
 * surrogate pair, because a text may be cut there: both parts together are then the whole text's JSON.
 */
export function jsonText(part: string): string {
  return part.replaceAll(SPECIAL, (character) => JSON.stringify(character).slice(1, -1));
}

/** Whether a text is JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
