/**
 * What a local reference such as `#/$defs/step` leads to; undefined when it leads nowhere. Steps are taken
 * literally, through objects only: the grammar compiler knows neither escapes nor places in arrays.
 */
export function resolveReference(root: unknown, reference: string): unknown {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let place = root;
  for (const step of reference.slice(2).split('/')) {
    if (step === '' || typeof place !== 'object' || place === null || Array.isArray(place)) return undefined;
    if (!Object.hasOwn(place, step)) return undefined;
    place = (place as Readonly<Record<string, unknown>>)[step];
  }
  return place;
}
