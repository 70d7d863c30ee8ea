import { isSchemaObject, type SchemaObject } from './schema-object.ts';
import { subschemas } from './subschemas.ts';

/**
 * Resolves a reference into the same schema: `#`, a JSON Pointer such as `#/$defs/step` or `#/anyOf/0`, or the name of
 * an `$anchor`; each may be preceded by the `$id` of the schema. Returns undefined if there is no such schema.
 */
export function resolveReference(root: unknown, reference: string): unknown {
  const hash = reference.indexOf('#');
  const [document, fragment] = hash < 0 ? [reference, ''] : [reference.slice(0, hash), reference.slice(hash + 1)];
  if (document !== '' && !(isSchemaObject(root) && root.$id === document)) return undefined;
  const decoded = decode(fragment);
  if (decoded === undefined || decoded === '') return decoded === undefined ? undefined : root;
  if (!decoded.startsWith('/')) return findAnchor(root, decoded);
  let place = root;
  for (const step of decoded.slice(1).split('/')) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, name)) return undefined;
    place = (place as SchemaObject)[name];
  }
  return place;
}

function decode(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

function findAnchor(schema: unknown, name: string): unknown {
  if (!isSchemaObject(schema)) return undefined;
  if (schema.$anchor === name) return schema;
  for (const inner of subschemas(schema)) {
    const found = findAnchor(inner.schema, name);
    if (found !== undefined) return found;
  }
  return undefined;
}
