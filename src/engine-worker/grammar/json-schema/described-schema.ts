import type { JsonSchema } from '../../../shared/engine/completion-request.ts';
import { resolveReference } from '../../../shared/json-schema/resolve-reference.ts';
import { isSchemaObject, type SchemaObject } from '../../../shared/json-schema/schema-object.ts';

/**
 * Whether a schema names a type or values for its root, itself or by the schemas that apply to the same value. Such a
 * schema describes an answer; another only restricts it.
 */
export function namesType(root: JsonSchema): boolean {
  return appliesTo(root, root, ['type', 'enum', 'const']);
}

/** Returns the schema for objects if it describes properties and names no type, as people forget it. */
export function describedSchema(schema: JsonSchema): JsonSchema {
  if (!isSchemaObject(schema) || namesType(schema) || !appliesTo(schema, schema, ['properties'])) return schema;
  return { type: 'object', ...(schema as SchemaObject) };
}

/** Whether one of some keywords stands in a schema, or in a schema that applies to the same value. */
function appliesTo(
  root: JsonSchema,
  schema: unknown,
  keywords: readonly string[],
  passed = new Set<unknown>(),
): boolean {
  if (!isSchemaObject(schema) || passed.has(schema)) return false;
  passed.add(schema);
  if (keywords.some((keyword) => keyword in schema)) return true;
  const { $ref, allOf, anyOf, oneOf } = schema;
  const applied = [allOf, anyOf, oneOf].flatMap((list): readonly unknown[] => (Array.isArray(list) ? list : []));
  if (typeof $ref === 'string') applied.push(resolveReference(root, $ref));
  return applied.some((inner) => appliesTo(root, inner, keywords, passed));
}
