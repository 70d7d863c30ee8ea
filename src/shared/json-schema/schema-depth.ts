import { isSchemaObject, resolveReference } from './schema-object.ts';

/**
 * Deepest nesting of a schema, references followed, and of groups in a pattern. The grammar compiler (WebLLM's
 * package, 0.1.27) works by recursion on a small stack: twice this much overruns it, after which it is of no use
 * for any schema until the engine worker is started anew.
 */
export const MAX_LEVELS = 40;

const DEFINITIONS = ['$defs', 'definitions'];

/**
 * Whether some value within `root` lies deeper than {@link MAX_LEVELS}. A value is one level below what holds it;
 * a definition is one level below each schema that refers to it. Where references lead back to a schema that is
 * being measured, they end: the compiler makes one rule of each definition and does not go around either.
 */
export function isTooDeep(root: unknown): boolean {
  /** Levels from a value down to the deepest one in it, itself included; 0 while that is being measured. */
  const heights = new Map<object, number>();

  function height(value: unknown, level: number): number {
    // Neither does this recursion ever go deeper, whatever came with the request.
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
      DEFINITIONS.includes(key) && isSchemaObject(held) ? Object.values(held) : [held],
    );
    const reference = '$ref' in value ? value.$ref : undefined;
    return typeof reference === 'string' ? [resolveReference(root, reference), ...inner] : inner;
  }

  return height(root, 1) === Infinity;
}
