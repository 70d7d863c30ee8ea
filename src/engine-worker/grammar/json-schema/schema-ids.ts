import type { JsonSchema } from '../../../shared/engine/completion-request.ts';
import { KEYWORDS } from '../../../shared/json-schema/keywords.ts';
import { isSchemaObject } from '../../../shared/json-schema/schema-object.ts';
import { subschemasOf } from '../../../shared/json-schema/subschemas.ts';

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
    const text = JSON.stringify(isSchemaObject(schema) ? Object.entries(schema).flatMap(this.#restriction) : schema);
    const id = this.#byText.get(text) ?? this.#byText.size;
    this.#byText.set(text, id);
    this.#bySchema.set(schema, id);
    return id;
  }

  /** Returns a keyword and its value, with numbers in place of the schemas inside; nothing for an annotation. */
  readonly #restriction = ([keyword, value]: [string, unknown]): readonly unknown[] => {
    const known = KEYWORDS.get(keyword);
    if (known?.support === 'annotation' && known.type === null) return [];
    const inner = subschemasOf(keyword, value).map(({ name, schema }) => [name, this.of(schema)]);
    return [[keyword, inner.length === 0 ? value : inner]];
  };
}
