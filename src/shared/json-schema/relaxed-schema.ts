import type { JsonSchema } from '../engine/completion-request.ts';
import { KEYWORDS } from './keywords.ts';
import { resolveReference } from './resolve-reference.ts';

/** A part of a schema that may be changed. */
type Holder = Record<string, unknown>;

/** What the keys of a part stand for: keywords, names or numbers of schemas, patterns of names, or nothing known. */
type Keys = 'keywords' | 'schemas' | 'patterns' | 'unknown';

interface Place {
  readonly holder: Holder;
  readonly key: string;
  readonly keys: Keys;
  /** The part around the holder. */
  readonly around: Holder;
}

/** Keywords whose subschemas may describe properties or items that the schema around them does not name. */
const DESCRIBES_MORE: ReadonlySet<string> = new Set(
  (
    '$ref $dynamicRef $recursiveRef allOf anyOf oneOf if then else not contains dependentSchemas dependencies properties ' +
    'patternProperties unevaluatedProperties prefixItems items unevaluatedItems'
  ).split(' '),
);

/**
 * Returns a copy of a schema that allows more: without the restrictions at some paths. Used where a restriction cannot be
 * followed, and a value is compared with the original schema later.
 * @param paths Keywords and names, each after a slash, as errors name them. A path may lead through `$ref`. If there is
 * nothing at a path, the nearest part around it is left out, which may be all.
 */
export function relaxedSchema(schema: JsonSchema, paths: readonly string[]): JsonSchema {
  const root = { schema: structuredClone(schema) as unknown };
  // All places are found first: several paths may lead to the same one.
  const places = paths.map((path) => placeAt(root, path));
  for (const { holder, key, keys, around } of places) {
    if (!Object.hasOwn(holder, key)) continue;
    if (keys === 'keywords') leaveOut(holder, key);
    else if (keys === 'patterns') {
      // The pattern itself may be what cannot be followed.
      delete holder[key];
      allowUndescribed(around, 'patternProperties');
    }
    // The names that a property requires.
    else if (Array.isArray(holder[key])) delete holder[key];
    else holder[key] = true;
  }
  return root.schema as JsonSchema;
}

/** Finds the last part of a path that can be left out. Names may contain slashes, so each key that fits is tried. */
function placeAt(root: { readonly schema: unknown }, path: string): Place {
  let deepest: Place & { readonly rest: string } = {
    holder: root as Holder,
    key: 'schema',
    keys: 'schemas',
    around: {},
    rest: path,
  };
  const search = (value: unknown, keys: Keys, rest: string, around: Holder): void => {
    if (rest === '' || keys === 'unknown' || typeof value !== 'object' || value === null) return;
    const holder = value as Holder;
    for (const key of Object.keys(value)) {
      if (rest !== `/${key}` && !rest.startsWith(`/${key}/`)) continue;
      const remaining = rest.slice(key.length + 1);
      if (remaining.length < deepest.rest.length) deepest = { holder, key, keys, around, rest: remaining };
      if (keys !== 'keywords') search(holder[key], 'keywords', remaining, holder);
      else if (key === '$ref')
        search(resolveReference(root.schema, String(holder[key])), 'keywords', remaining, holder);
      else search(holder[key], keysOf(key, holder[key]), remaining, holder);
    }
  };
  search(root.schema, 'keywords', path, {});
  return deepest;
}

/** Keywords of which a part that allows more would make the whole allow less. */
const REVERSED = ['not', 'if', 'oneOf', 'contains'];

/** Returns what the keys of a keyword's value stand for. */
function keysOf(keyword: string, value: unknown): Keys {
  if (REVERSED.includes(keyword)) return 'unknown';
  switch (KEYWORDS.get(keyword)?.value) {
    case 'schema':
    case 'string schema':
      return 'keywords';
    case 'schema or list of schemas':
      return Array.isArray(value) ? 'schemas' : 'keywords';
    case 'list of schemas':
    case 'named schemas':
    case 'definitions':
    case 'dependency schemas':
      return 'schemas';
    case 'pattern schemas':
      return 'patterns';
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
  allowUndescribed(schema, keyword);
  if (keyword === 'prefixItems') delete schema['items'];
  if (keyword === 'items' && Array.isArray(value)) delete schema['additionalItems'];
}

/** Without this the grammar would exclude what only the part describes that was left out of a keyword's value. */
function allowUndescribed(schema: Holder, keyword: string): void {
  schema['unevaluatedProperties'] = true;
  schema['unevaluatedItems'] = true;
  if (keyword === 'patternProperties' || keyword === 'properties') delete schema['additionalProperties'];
}
