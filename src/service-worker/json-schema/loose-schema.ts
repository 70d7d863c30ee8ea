import type { JsonSchema, Tool } from '../../shared/engine/completion-request.ts';
import { localReferences } from '../../shared/json-schema/local-references.ts';
import { objectOutlines } from '../../shared/json-schema/object-outlines.ts';
import { relaxedSchema } from '../../shared/json-schema/relaxed-schema.ts';
import type { SchemaObject } from '../../shared/json-schema/schema-object.ts';
import { findSchemaProblem } from './find-schema-problem.ts';
import { MAX_LEVELS } from './schema-depth.ts';

/** Limit of the parts that are left out one by one. */
const MAX_PROBLEMS = 40;

/**
 * Turns any object that a client sends as the schema of a function's arguments into schemas that the engine can use.
 * `parameters` is the schema without the parts that mean nothing to a validator. `bound` is left out if it is the same;
 * otherwise it is a part of the schema that a grammar may be compiled from.
 */
export function looseSchema(given: SchemaObject): Pick<Tool, 'parameters' | 'bound'> {
  let parameters = localReferences(plainCopy(given, 1) as JsonSchema);
  let bound = parameters;
  for (let count = 0; count < MAX_PROBLEMS; count++) {
    const problem = findSchemaProblem(bound);
    if (problem === null) return bound === parameters ? { parameters } : { parameters, bound };
    if (problem.path === '') return reduced(parameters, problem.isBroken);
    const isSame = bound === parameters;
    bound = relaxedSchema(bound, [problem.path]);
    if (problem.isBroken) parameters = isSame ? bound : relaxedSchema(parameters, [problem.path]);
  }
  return reduced(parameters, true);
}

/** Follows little of a schema; checks as little if it is broken as a whole. */
function reduced(schema: JsonSchema, isBroken: boolean): Pick<Tool, 'parameters' | 'bound'> {
  const bound = objectOutlines(schema).find((outline) => findSchemaProblem(outline) === null)!;
  return isBroken ? { parameters: bound } : { parameters: schema, bound };
}

/** Copies a value without halves of characters, and without what is nested too deep to be visited safely. */
function plainCopy(value: unknown, level: number): unknown {
  if (typeof value === 'string') return value.replaceAll(/\p{Surrogate}/gu, '\ufffd');
  if (typeof value !== 'object' || value === null) return value;
  if (level > MAX_LEVELS) return true;
  if (Array.isArray(value)) return value.map((item) => plainCopy(item, level + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [plainCopy(name, level), plainCopy(inner, level + 1)]),
  );
}
