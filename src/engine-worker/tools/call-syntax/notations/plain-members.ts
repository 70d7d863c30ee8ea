import type { JsonSchema } from '../../../../shared/engine/completion-request.ts';
import { ANNOTATIONS } from '../../../grammar/json-schema/annotations.ts';
import { isSchemaObject } from '../../../../shared/json-schema/schema-object.ts';

/** A property of an object whose schema lists all of them. */
export interface PlainMember {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

const DEFINITIONS = ['$defs', 'definitions'];
const OBJECT_KEYWORDS = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  '$schema',
  ...DEFINITIONS,
  ...ANNOTATIONS,
]);

/** Matches a reference that does not lead to a definition of the root, or another address of schemas. */
const OTHER_REFERENCE =
  /"\$(?:id|anchor|dynamicRef|dynamicAnchor|recursiveRef|recursiveAnchor)":|"\$ref":"(?!#\/(?:\$defs|definitions)\/[^/"]+")/;

/**
 * Returns the properties of an object schema that says nothing but which properties there are; null for another schema,
 * such as one with further properties or with a choice between several objects.
 * @param schema A schema as {@link resolved} returns it.
 */
export function plainMembers(schema: JsonSchema): readonly PlainMember[] | null {
  if (typeof schema === 'boolean' || schema['type'] !== 'object') return null;
  const { properties, required = [], additionalProperties = false } = schema;
  if (!Object.keys(schema).every((keyword) => OBJECT_KEYWORDS.has(keyword))) return null;
  if (!isSchemaObject(properties) || additionalProperties !== false || !Array.isArray(required)) return null;
  const named = Object.entries(properties as Readonly<Record<string, JsonSchema>>);
  if (named.some(([, property]) => property === false)) return null;
  if (!required.every((name) => Object.hasOwn(properties, name as string))) return null;
  return named.map(([name, property]) => ({ name, schema: property, required: required.includes(name) }));
}

/** Resolves the references of a schema's parts to the definitions of its root. */
export class Definitions {
  readonly #root: Exclude<JsonSchema, boolean>;

  private constructor(root: Exclude<JsonSchema, boolean>) {
    this.#root = root;
  }

  /** @returns null if the schema has references that lead elsewhere. */
  static of(root: JsonSchema): Definitions | null {
    return typeof root === 'boolean' || OTHER_REFERENCE.test(JSON.stringify(root)) ? null : new Definitions(root);
  }

  /** Returns the definition that a part refers to, or the part itself. */
  resolved(part: JsonSchema): JsonSchema {
    if (typeof part === 'boolean' || typeof part['$ref'] !== 'string') return part;
    if (!Object.keys(part).every((keyword) => keyword === '$ref' || ANNOTATIONS.includes(keyword))) return part;
    const [, group = '', name = ''] = part['$ref'].split('/');
    const definition = (this.#root[group] as Readonly<Record<string, JsonSchema>> | undefined)?.[name];
    return definition ?? part;
  }

  /** Returns a part as a schema that stands alone. */
  standalone(part: JsonSchema): JsonSchema {
    const { $defs, definitions } = this.#root;
    if (typeof part === 'boolean') return part;
    return {
      ...part,
      ...($defs === undefined ? {} : { $defs }),
      ...(definitions === undefined ? {} : { definitions }),
    };
  }
}
