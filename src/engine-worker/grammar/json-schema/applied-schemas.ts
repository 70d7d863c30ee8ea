import type { JsonSchema } from '../../../shared/engine/completion-request.ts';
import { resolveReference } from '../../../shared/json-schema/resolve-reference.ts';
import { isSchemaObject, type SchemaObject } from '../../../shared/json-schema/schema-object.ts';
import { dependentSchemas } from './dependent-schemas.ts';

/** How values are compared with the parts of one schema. */
export interface Matching {
  readonly root: JsonSchema;
  readonly matches: (schema: unknown, value: unknown) => boolean;
}

/**
 * Returns the schemas inside a schema that apply to the same value and that the value is valid against, through
 * references, combinations and conditions.
 * @param value A value that is valid against the schema.
 */
export function appliedSchemas(schema: SchemaObject, value: unknown, { root, matches }: Matching): readonly unknown[] {
  const { $ref, allOf, anyOf, oneOf } = schema;
  const condition = schema['if'];
  const conditional =
    condition === undefined ? [] : matches(condition, value) ? [condition, schema['then']] : [schema['else']];
  return [
    ...(typeof $ref === 'string' ? [resolveReference(root, $ref)] : []),
    ...list(allOf),
    ...[...list(anyOf), ...list(oneOf)].filter((inner) => matches(inner, value)),
    ...conditional.filter((inner) => inner !== undefined),
    ...(isSchemaObject(value) ? dependentSchemas(schema) : []).flatMap((dependency) =>
      Object.hasOwn(value as SchemaObject, dependency.name) ? [dependency.schema] : [],
    ),
  ];
}

function list(schemas: unknown): readonly unknown[] {
  return Array.isArray(schemas) ? schemas : [];
}
