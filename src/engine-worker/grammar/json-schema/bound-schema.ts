import type { JsonSchema } from '../../../shared/engine/completion-request.ts';
import { objectOutlines } from '../../../shared/json-schema/object-outlines.ts';
import { relaxedSchema } from '../../../shared/json-schema/relaxed-schema.ts';
import { isSchemaObject } from '../../../shared/json-schema/schema-object.ts';
import type { Grammar } from '../expressions/grammar.ts';
import { isBudgetUsedUp, withBudget } from '../regular-language/step-budget.ts';
import { CALL_JSON, compileOrRefuse } from './compile-schema.ts';

export interface BoundSchema {
  /** A schema that the grammar follows whole. Every value that is valid against the original is valid against it. */
  readonly schema: JsonSchema;
  readonly grammar: Grammar;
  /**
   * The restrictions of the original that the grammar does not have, as paths of keywords and names; an empty path stands
   * for the whole schema. Empty if the grammar follows everything.
   */
  readonly left: readonly string[];
}

/** Limit of the compilations of a schema. Each may find further restrictions that cannot be followed. */
const MAX_ROUNDS = 10;

/** Finds the part of a schema of a call's arguments that a grammar can follow. Its root must have the type `object`. */
export function boundSchema(schema: JsonSchema): BoundSchema {
  const left: string[] = [];
  let bound = schema;
  for (let round = 0; round < MAX_ROUNDS && isObjectSchema(bound); round++) {
    if (round > 1 && isBudgetUsedUp()) break;
    const grammar = compileOrRefuse(bound, CALL_JSON);
    if ('rules' in grammar) return { schema: bound, grammar, left };
    const paths = [...new Set(grammar.map(({ path }) => path))].filter((path) => !left.includes(path));
    if (paths.length === 0) break;
    left.push(...paths);
    bound = relaxedSchema(bound, paths);
  }
  // An outline is small, so a request's budget of steps is not asked.
  return withBudget(Infinity, () => {
    for (const outline of objectOutlines(schema)) {
      const grammar = compileOrRefuse(outline, CALL_JSON);
      if ('rules' in grammar) return { schema: outline, grammar, left };
    }
    throw new Error('There is no grammar of any object.');
  });
}

/** Whether a schema still allows nothing but objects. */
function isObjectSchema(schema: JsonSchema): boolean {
  return isSchemaObject(schema) && schema.type === 'object';
}
