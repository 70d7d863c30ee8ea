import type { JsonSchema } from '../../../shared/engine/completion-request.ts';
import { objectOutlines } from '../../../shared/json-schema/object-outlines.ts';
import { relaxedSchema } from '../../../shared/json-schema/relaxed-schema.ts';
import { isSchemaObject } from '../../../shared/json-schema/schema-object.ts';
import type { Grammar } from '../expressions/grammar.ts';
import { CALL_JSON, compileSchema } from './compile-schema.ts';
import { SchemaRefusal } from './schema-tree.ts';

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

/** Limit of restrictions that are left out one by one. Each costs a compilation. */
const MAX_LEFT = 40;

/** Finds the part of a schema of a call's arguments that a grammar can follow. Its root must have the type `object`. */
export function boundSchema(schema: JsonSchema): BoundSchema {
  const left: string[] = [];
  for (let bound = schema; isObjectSchema(bound) && left.length < MAX_LEFT;) {
    const grammar = compileOrRefuse(bound);
    if (!(grammar instanceof SchemaRefusal)) return { schema: bound, grammar, left };
    if (left.includes(grammar.path)) break;
    left.push(grammar.path);
    bound = relaxedSchema(bound, grammar.path);
  }
  for (const outline of objectOutlines(schema)) {
    const grammar = compileOrRefuse(outline);
    if (!(grammar instanceof SchemaRefusal)) return { schema: outline, grammar, left };
  }
  throw new Error('There is no grammar of any object.');
}

/** Whether a schema still allows nothing but objects. */
function isObjectSchema(schema: JsonSchema): boolean {
  return isSchemaObject(schema) && schema.type === 'object';
}

function compileOrRefuse(schema: JsonSchema): Grammar | SchemaRefusal {
  try {
    return compileSchema(schema, CALL_JSON);
  } catch (thrown) {
    if (thrown instanceof SchemaRefusal) return thrown;
    throw thrown;
  }
}
