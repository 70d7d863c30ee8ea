/** A JSON Schema that is not just `true` or `false`: keyword → value. */
export type SchemaObject = Readonly<Record<string, unknown>>;

export function isSchemaObject(value: unknown): value is SchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Of a type, alone or among others. */
export function isOfType({ type }: SchemaObject, wanted: string): boolean {
  return Array.isArray(type) ? type.includes(wanted) : type === wanted;
}

/**
 * What a local reference such as `#/$defs/step` leads to; undefined when it leads nowhere. Steps are taken
 * literally, through objects only: the grammar compiler knows neither escapes nor places in arrays.
 */
export function resolveReference(root: unknown, reference: string): unknown {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let place = root;
  for (const step of reference.slice(2).split('/')) {
    if (step === '' || !isSchemaObject(place) || !Object.hasOwn(place, step)) return undefined;
    place = place[step];
  }
  return place;
}
