import type { JsonSchema } from '../../../shared/engine/completion-request.ts';
import { plainObjectSchema, relaxedSchema } from '../../../shared/json-schema/relaxed-schema.ts';
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

/** Limit of properties that are named if the schema as a whole cannot be followed. */
const MAX_NAMED = 50;

/** Finds the part of a schema of a call's arguments that a grammar can follow. */
export function boundSchema(schema: JsonSchema): BoundSchema {
  const left: string[] = [];
  let bound = schema;
  while (left.length < MAX_LEFT) {
    const grammar = compileOrRefuse(bound);
    if (!(grammar instanceof SchemaRefusal)) return { schema: bound, grammar, left };
    left.push(grammar.path);
    if (grammar.path === '') break;
    bound = relaxedSchema(bound, grammar.path);
  }
  const plain = plainObjectSchema(schema, MAX_NAMED);
  const grammar = compileOrRefuse(plain);
  if (!(grammar instanceof SchemaRefusal)) return { schema: plain, grammar, left };
  return { schema: ANY_OBJECT, grammar: compileSchema(ANY_OBJECT, CALL_JSON), left };
}

const ANY_OBJECT: JsonSchema = { type: 'object' };

function compileOrRefuse(schema: JsonSchema): Grammar | SchemaRefusal {
  try {
    return compileSchema(schema, CALL_JSON);
  } catch (thrown) {
    if (thrown instanceof SchemaRefusal) return thrown;
    throw thrown;
  }
}
