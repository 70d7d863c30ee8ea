import type { JsonSchema } from '../../shared/engine/completion-request.ts';
import { describeValue } from '../../shared/describe-value.ts';
import { compileCost, findExcess } from './compile-cost.ts';
import { isTooDeep, MAX_LEVELS } from './schema-depth.ts';
import { VALUE_CHECKS } from './value-checks.ts';
import { localReferences } from '../../shared/json-schema/local-references.ts';
import { KEYWORDS, type ValueKind } from '../../shared/json-schema/keywords.ts';
import { isSchemaObject, type SchemaObject } from '../../shared/json-schema/schema-object.ts';
import { subschemasOf } from '../../shared/json-schema/subschemas.ts';
import { patternExpression } from '../../shared/json-schema/unicode-pattern.ts';

export interface SchemaProblem {
  /** Keywords and names joined by slashes; empty for the root. */
  readonly path: string;
  /** The rest of a sentence whose subject is the path. */
  readonly text: string;
  /** Whether a validator cannot use the part at the path either, such as a `$ref` that leads to no schema. */
  readonly isBroken: boolean;
}

/** Where `false` excludes something that a value may do without. */
const KINDS_WITH_FALSE: readonly ValueKind[] = [
  'schema',
  'schema or list of schemas',
  'named schemas',
  'pattern schemas',
  'dependency schemas',
];

const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Finds the first problem that makes a value invalid as a JSON Schema, or too deep or costly to compile ({@link compileCost});
 * null if there is none. The engine's grammar compiler decides later which keywords it supports, and whether they contradict
 * each other.
 */
export function findSchemaProblem(given: unknown): SchemaProblem | null {
  // Checked first, because the other checks are recursive.
  const tooDeep = { path: '', isBroken: true, text: `is nested more than ${MAX_LEVELS} levels deep; make it flatter` };
  if (isTooDeep(given)) return tooDeep;
  if (holdsHalfCharacter(given)) return { path: '', isBroken: true, text: 'holds half of a character' };
  const root = localReferences(given as JsonSchema);
  if (root !== given && isTooDeep(root)) return tooDeep;

  function search(schema: unknown, path: string): SchemaProblem | null {
    if (schema === true) return null;
    if (schema === false) return { path, isBroken: false, text: 'is false, which no value can meet' };
    if (!isSchemaObject(schema))
      return { path, isBroken: true, text: `must be a schema, but it is ${describeValue(schema)}` };

    for (const [keyword, value] of Object.entries(schema)) {
      const kind = KEYWORDS.get(keyword)?.value ?? 'anything';
      const text = VALUE_CHECKS[kind](value, root);
      if (text !== null) return { path: `${path}/${keyword}`, text, isBroken: !isRegularExpression(kind, value) };
      const mayBeFalse = KINDS_WITH_FALSE.includes(kind) && !Array.isArray(value);
      for (const inner of subschemasOf(keyword, value)) {
        const problem = mayBeFalse && inner.schema === false ? null : search(inner.schema, path + inner.place);
        if (problem === null) continue;
        // The names that a property requires stand for a schema that the client has not written.
        const isListed = kind === 'dependency schemas' && Array.isArray((value as SchemaObject)[inner.name]);
        return isListed ? { ...problem, path: path + inner.place } : problem;
      }
    }
    return null;
  }

  const problem = search(root, '');
  if (problem !== null) return problem;
  const excess = findExcess(compileCost(root as JsonSchema));
  return excess === null ? null : { path: '', text: excess, isBroken: false };
}

/** Whether a value that was refused is nevertheless a regular expression, or a list of them. */
function isRegularExpression(kind: ValueKind, value: unknown): boolean {
  try {
    if (kind === 'pattern') return typeof value === 'string' && Boolean(patternExpression(value));
    return (
      kind === 'pattern schemas' && isSchemaObject(value) && Object.keys(value).every((one) => patternExpression(one))
    );
  } catch {
    return false;
  }
}

function holdsHalfCharacter(value: unknown): boolean {
  if (typeof value === 'string') return LONE_SURROGATE.test(value);
  return typeof value === 'object' && value !== null && Object.entries(value).flat().some(holdsHalfCharacter);
}
