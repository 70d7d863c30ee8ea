import type { JsonSchema } from '../engine/completion-request.ts';
import { KEYWORDS } from './keywords.ts';
import { isSchemaObject, type SchemaObject } from './schema-object.ts';

/** A schema directly inside another one. */
export interface Subschema {
  /** A value of any type if the outer schema has not been checked. */
  readonly schema: JsonSchema;
  readonly keyword: string;
  /** In a list, its index; of named schemas, its name; otherwise empty. */
  readonly name: string;
  /** The keyword and the name, each after a slash. */
  readonly place: string;
}

/** Returns the schemas directly inside a schema. */
export function subschemas(schema: SchemaObject): readonly Subschema[] {
  return Object.entries(schema).flatMap(([keyword, value]) => subschemasOf(keyword, value));
}

/** Returns the schemas directly inside the value of a keyword; none if the value is not of the keyword's kind. */
export function subschemasOf(keyword: string, value: unknown): readonly Subschema[] {
  const single = { keyword, schema: value as JsonSchema, name: '', place: `/${keyword}` };
  const inner = (values: object): Subschema[] =>
    Object.entries(values as Readonly<Record<string, JsonSchema>>).map(([name, schema]) => ({
      keyword,
      schema,
      name,
      place: `/${keyword}/${name}`,
    }));

  switch (KEYWORDS.get(keyword)?.value) {
    case 'schema':
    case 'string schema':
      return [single];
    case 'list of schemas':
      return Array.isArray(value) ? inner(value) : [];
    case 'schema or list of schemas':
      return Array.isArray(value) ? inner(value) : [single];
    case 'named schemas':
    case 'pattern schemas':
    case 'definitions':
      return isSchemaObject(value) ? inner(value) : [];
    case 'dependency schemas':
      return (isSchemaObject(value) ? inner(value) : []).map((one) =>
        Array.isArray(one.schema) ? { ...one, schema: { required: one.schema } } : one,
      );
    default:
      return [];
  }
}
