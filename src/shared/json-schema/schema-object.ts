/** A JSON Schema other than `true` and `false`: keyword → value. */
export type SchemaObject = Readonly<Record<string, unknown>>;

export function isSchemaObject(value: unknown): value is SchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether `type` is or includes `wanted`. */
export function isOfType({ type }: SchemaObject, wanted: string): boolean {
  return Array.isArray(type) ? type.includes(wanted) : type === wanted;
}

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

function findAnchor(place: unknown, name: string): unknown {
  if (typeof place !== 'object' || place === null) return undefined;
  if ((place as SchemaObject).$anchor === name) return place;
  for (const inner of Object.values(place)) {
    const found = findAnchor(inner, name);
    if (found !== undefined) return found;
  }
  return undefined;
}
