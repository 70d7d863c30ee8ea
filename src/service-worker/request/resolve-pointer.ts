/**
 * What a JSON Pointer (RFC 6901), percent-encoded as in the fragment of an address, leads to;
 * undefined when it leads nowhere.
 */
export function resolvePointer(root: unknown, fragment: string): unknown {
  if (fragment === '') return root;
  if (!fragment.startsWith('/')) return undefined;
  let place = root;
  for (const step of fragment.slice(1).split('/')) {
    const name = decode(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, name)) return undefined;
    place = (place as Readonly<Record<string, unknown>>)[name];
  }
  return place;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
