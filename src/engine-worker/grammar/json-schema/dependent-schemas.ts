import { KEYWORDS } from '../../../shared/json-schema/keywords.ts';
import type { SchemaObject } from '../../../shared/json-schema/schema-object.ts';
import { subschemas, type Subschema } from '../../../shared/json-schema/subschemas.ts';

/** Returns the schemas that an object with a certain property satisfies, with the name of that property. */
export function dependentSchemas(schema: SchemaObject): readonly Subschema[] {
  return subschemas(schema).filter(({ keyword }) => KEYWORDS.get(keyword)?.value === 'dependency schemas');
}
