import type { Part } from './call-syntax.ts';

/**
 * Compares the front of a text with parts.
 * @returns the length of the text that they match; `incomplete` if further text decides; null if they do not match.
 */
export function matchParts(parts: readonly Part[], text: string): number | 'incomplete' | null {
  let length = 0;
  for (const part of parts) {
    if (typeof part === 'string') {
      const given = text.slice(length, length + part.length);
      if (given !== part) return part.startsWith(given) && length + given.length === text.length ? 'incomplete' : null;
      length += part.length;
      continue;
    }
    const rest = text.slice(length, length + part.max);
    const other = Array.from(rest).findIndex((character) => !part.characters.includes(character));
    const count = other < 0 ? rest.length : other;
    if (other < 0 && count < part.max) return 'incomplete';
    if (count < part.min) return null;
    length += count;
  }
  return length;
}

/** Joins adjacent texts, so that the parts can be compared one by one. */
export function joinParts(...parts: readonly Part[]): readonly Part[] {
  const joined: Part[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (typeof part === 'string' && typeof last === 'string') joined[joined.length - 1] = last + part;
    else if (part !== '') joined.push(part);
  }
  return joined;
}
