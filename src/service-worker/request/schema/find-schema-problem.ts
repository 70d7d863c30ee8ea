import { describeValue } from '../describe-value.ts';
import { findContradiction } from './find-contradiction.ts';
import { isObject, SCHEMA_KEYWORDS } from './schema-keywords.ts';

export interface SchemaProblem {
  /** Place within the schema, keywords and names joined with slashes; empty for the root. */
  readonly path: string;
  /** What is wrong there, as the rest of a sentence that begins with the path. */
  readonly text: string;
}

/** Deeper nesting is refused: it has no use, and every recursive reader behind us has a finite stack. */
const DEEPEST = 64;

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * The first thing that makes `root` no valid JSON Schema, or one that output cannot be made to follow;
 * else null. WebLLM's grammar compiler aborts on such schemas instead of reporting them, and each abort
 * leaks some of its stack: after some 25 of them it fails for every schema until the worker ends. So what
 * passes here must not make it abort.
 */
export function findSchemaProblem(root: unknown): SchemaProblem | null {
  const unreadable = findUnreadable(root);
  if (unreadable !== null) return { path: '', text: unreadable };

  function search(schema: unknown, path: string): SchemaProblem | null {
    if (schema === true) return null;
    if (schema === false) return { path, text: 'is false, which no value can meet' };
    if (!isObject(schema)) return { path, text: `must be a schema, but it is ${describeValue(schema)}` };

    for (const [keyword, value] of Object.entries(schema)) {
      if (!Object.hasOwn(SCHEMA_KEYWORDS, keyword)) continue;
      const place = `${path}/${keyword}`;
      let inside: SchemaProblem | null = null;
      const text = SCHEMA_KEYWORDS[keyword]!(value, (inner, below) => (inside ??= search(inner, place + below)), root);
      if (text !== null) return { path: place, text };
      if (inside !== null) return inside;
    }
    const contradiction = findContradiction(schema);
    return contradiction && { path: `${path}/${contradiction.keyword}`, text: contradiction.text };
  }

  return search(root, '');
}

/** What keeps other readers from reading it at all. Without recursion, to see what recursion could not. */
function findUnreadable(root: unknown): string | null {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return `is nested more than ${DEEPEST} levels deep`;
    if (level.some((value) => typeof value === 'string' && LONE_SURROGATE.test(value)))
      return 'holds half of a character';
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.entries(value).flat() : []));
  }
  return null;
}
