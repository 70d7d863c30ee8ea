import type { JsonSchema } from '../../shared/engine/completion-request.ts';
import { describeValue } from '../../shared/describe-value.ts';
import { compileCost, findExcess } from './compile-cost.ts';
import { findContradiction } from './find-contradiction.ts';
import { isTooDeep, MAX_LEVELS } from './schema-depth.ts';
import { SCHEMA_KEYWORDS } from './schema-keywords.ts';
import { isSchemaObject } from '../../shared/json-schema/schema-object.ts';

export interface SchemaProblem {
  /** Keywords and names joined by slashes; empty for the root. */
  readonly path: string;
  /** The rest of a sentence whose subject is the path. */
  readonly text: string;
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Finds the first problem that makes `root` invalid as a JSON Schema, impossible to meet, or too deep or costly to
 * compile ({@link compileCost}); null if there is none. The engine's grammar compiler decides later which keywords it
 * supports.
 */
export function findSchemaProblem(root: unknown): SchemaProblem | null {
  // Checked first, because the other checks are recursive.
  if (isTooDeep(root)) return { path: '', text: `is nested more than ${MAX_LEVELS} levels deep; make it flatter` };
  if (holdsHalfCharacter(root)) return { path: '', text: 'holds half of a character' };

  function search(schema: unknown, path: string): SchemaProblem | null {
    if (schema === true) return null;
    if (schema === false) return { path, text: 'is false, which no value can meet' };
    if (!isSchemaObject(schema)) return { path, text: `must be a schema, but it is ${describeValue(schema)}` };

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

  const problem = search(root, '');
  if (problem !== null) return problem;
  const excess = findExcess(compileCost(root as JsonSchema));
  return excess === null ? null : { path: '', text: excess };
}

function holdsHalfCharacter(value: unknown): boolean {
  if (typeof value === 'string') return LONE_SURROGATE.test(value);
  return typeof value === 'object' && value !== null && Object.entries(value).flat().some(holdsHalfCharacter);
}
