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
 * Resolves a local reference such as `#/$defs/step`; undefined if it leads nowhere. Like the grammar compiler it supports
 * neither JSON Pointer escapes nor array indexes.
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
