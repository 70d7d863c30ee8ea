import type { JsonSchema } from '../../../shared/engine/completion-request.ts';
import { mapSubschemas } from '../../../shared/json-schema/map-subschemas.ts';
import { isSchemaObject } from '../../../shared/json-schema/schema-object.ts';

/** Keywords that restrict nothing. */
const ANNOTATIONS = ['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly', '$comment'];

/**
 * Assigns numbers to schemas. Schemas that differ only in annotations get the same number, and so share one rule of the
 * grammar. Otherwise fifty properties of one type would be compiled fifty times, here and by xgrammar.
 */
export class SchemaIds {
  readonly #bySchema = new Map<JsonSchema, number>();
  readonly #byText = new Map<string, number>();

  of(schema: JsonSchema): number {
    const known = this.#bySchema.get(schema);
    if (known !== undefined) return known;
    const text = JSON.stringify(withoutAnnotations(schema));
    const id = this.#byText.get(text) ?? this.#byText.size;
    this.#byText.set(text, id);
    this.#bySchema.set(schema, id);
    return id;
  }
}

function withoutAnnotations(schema: JsonSchema): JsonSchema {
  const mapped = isSchemaObject(schema) ? mapSubschemas(schema, withoutAnnotations) : schema;
  if (!isSchemaObject(mapped)) return mapped;
  return Object.fromEntries(Object.entries(mapped).filter(([keyword]) => !ANNOTATIONS.includes(keyword)));
}
