import type { JsonSchema } from '../engine/completion-request.ts';
import { KEYWORDS } from './keywords.ts';
import { resolveReference } from './resolve-reference.ts';
import { isSchemaObject } from './schema-object.ts';

/** A part of a schema that may be changed. */
type Holder = Record<string, unknown>;

/** What the keys of a part stand for: keywords, names or numbers of schemas, or nothing known. */
type Keys = 'keywords' | 'schemas' | 'unknown';

interface Place {
  readonly holder: Holder;
  readonly key: string;
  readonly keys: Keys;
}

/** Keywords whose subschemas may describe properties or items that the schema around them does not name. */
const DESCRIBES_MORE: ReadonlySet<string> = new Set(
  (
    '$ref $dynamicRef $recursiveRef allOf anyOf oneOf if not contains dependentSchemas dependencies properties ' +
    'patternProperties unevaluatedProperties prefixItems items unevaluatedItems'
  ).split(' '),
);

/**
 * Returns a copy of a schema that allows more: without the restriction at a path. Used where a restriction cannot be
 * followed, and a value is compared with the original schema later.
 * @param path Keywords and names, each after a slash, as errors name them. It may lead through `$ref`. If there is nothing at
 * the path, the nearest part around it is left out.
 */
export function relaxedSchema(schema: JsonSchema, path: string): JsonSchema {
  const root = { schema: structuredClone(schema) as unknown };
  const { holder, key, keys } = placeAt(root, path);
  if (keys === 'keywords') leaveOut(holder, key);
  // The names that a property requires.
  else if (Array.isArray(holder[key])) delete holder[key];
  else holder[key] = true;
  return root.schema as JsonSchema;
}

/** Finds the last part of a path that can be left out. Names may contain slashes, so each key that fits is tried. */
function placeAt(root: { readonly schema: unknown }, path: string): Place {
  let deepest: Place & { readonly rest: string } = {
    holder: root as Holder,
    key: 'schema',
    keys: 'schemas',
    rest: path,
  };
  const search = (value: unknown, keys: Keys, rest: string): void => {
    if (rest === '' || keys === 'unknown' || typeof value !== 'object' || value === null) return;
    const holder = value as Holder;
    for (const key of Object.keys(value)) {
      if (rest !== `/${key}` && !rest.startsWith(`/${key}/`)) continue;
      const remaining = rest.slice(key.length + 1);
      if (remaining.length < deepest.rest.length) deepest = { holder, key, keys, rest: remaining };
      if (keys === 'schemas') search(holder[key], 'keywords', remaining);
      else if (key === '$ref') search(resolveReference(root.schema, String(holder[key])), 'keywords', remaining);
      else search(holder[key], keysOf(key, holder[key]), remaining);
    }
  };
  search(root.schema, 'keywords', path);
  return deepest;
}

/** Returns what the keys of a keyword's value stand for. */
function keysOf(keyword: string, value: unknown): Keys {
  switch (KEYWORDS.get(keyword)?.value) {
    case 'schema':
    case 'false or schema':
    case 'string schema':
      return 'keywords';
    case 'schema or list of schemas':
      return Array.isArray(value) ? 'schemas' : 'keywords';
    case 'list of schemas':
    case 'named schemas':
    case 'pattern schemas':
    case 'definitions':
    case 'dependency schemas':
      return 'schemas';
    default:
      return 'unknown';
  }
}

function leaveOut(schema: Holder, keyword: string): void {
  const value = schema[keyword];
  delete schema[keyword];
  if (keyword === 'oneOf' && Array.isArray(value) && value.length > 0) {
    schema['allOf'] = [...(Array.isArray(schema['allOf']) ? schema['allOf'] : []), { anyOf: value }];
    return;
  }
  if (!DESCRIBES_MORE.has(keyword)) return;
  // Without these the grammar would exclude what only the left out part describes.
  schema['unevaluatedProperties'] = true;
  schema['unevaluatedItems'] = true;
  if (keyword === 'patternProperties' || keyword === 'properties') delete schema['additionalProperties'];
  if (keyword === 'prefixItems') delete schema['items'];
  if (keyword === 'items' && Array.isArray(value)) delete schema['additionalItems'];
}

/**
 * Returns the least that is worth following of a schema for objects: the names of its properties, with their types if
 * these are plain. Further properties are allowed unless the schema forbids them.
 * @param limit The most properties that are named; with more, any object is allowed.
 */
export function plainObjectSchema(schema: JsonSchema, limit: number): JsonSchema {
  const { properties, required, additionalProperties } = isSchemaObject(schema) ? schema : {};
  const names = isSchemaObject(properties) ? Object.keys(properties) : [];
  if (names.length === 0 || names.length > limit) return { type: 'object' };
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, plainType((properties as Holder)[name])])),
    required: Array.isArray(required) ? required.filter((name) => names.includes(name as string)) : [],
    additionalProperties: additionalProperties !== false,
  };
}

const TYPES: readonly unknown[] = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string'];

function plainType(schema: unknown): JsonSchema {
  return isSchemaObject(schema) && TYPES.includes(schema['type']) ? { type: schema['type'] } : {};
}
