import { KEYWORDS } from '../../shared/json-schema/keywords.ts';
import { resolveReference } from '../../shared/json-schema/resolve-reference.ts';
import { isSchemaObject } from '../../shared/json-schema/schema-object.ts';

/**
 * Limit for the nesting of a schema (references included) and of the groups in a pattern. The grammar compiler
 * (@mlc-ai/web-xgrammar 0.1.27) recurses on a small stack. Twice this depth overflows it; then it fails for every
 * schema until the engine worker restarts.
 */
export const MAX_LEVELS = 40;

/**
 * Whether a value in `root` is deeper than {@link MAX_LEVELS}. A value is one level below its parent; a definition is
 * one level below each schema that refers to it. A recursive reference counts once, because the compiler makes one rule
 * for each definition.
 */
export function isTooDeep(root: unknown): boolean {
  /**
   * Height of each value: the number of levels from it down to its deepest value, itself included. 0 while it is being
   * computed.
   */
  const heights = new Map<object, number>();

  function height(value: unknown, level: number): number {
    // This also limits the recursion of this function.
    if (level > MAX_LEVELS) return Infinity;
    if (typeof value !== 'object' || value === null) return 1;
    const known = heights.get(value);
    if (known !== undefined) return level + known - 1 > MAX_LEVELS ? Infinity : known;
    heights.set(value, 0);
    let deepest = 0;
    for (const inner of innerValues(value)) deepest = Math.max(deepest, height(inner, level + 1));
    heights.set(value, deepest + 1);
    return deepest + 1;
  }

  function innerValues(value: object): unknown[] {
    const inner = Object.entries(value).flatMap(([key, held]: [string, unknown]) =>
      KEYWORDS.get(key)?.value === 'definitions' && isSchemaObject(held) ? Object.values(held) : [held],
    );
    const reference = '$ref' in value ? value.$ref : undefined;
    return typeof reference === 'string' ? [resolveReference(root, reference), ...inner] : inner;
  }

  return height(root, 1) === Infinity;
}
