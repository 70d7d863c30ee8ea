import { listsDiffer } from './lists-differ.ts';

/**
 * Reuses the unchanged objects of the old list, so that Lit does not render them again. Returns the old list itself if
 * everything is unchanged.
 */
export function reuseUnchanged<Thing extends { readonly id: string }>(
  before: readonly Thing[],
  now: readonly Thing[],
): readonly Thing[] {
  const known = new Map(before.map((thing) => [thing.id, thing]));
  const kept = now.map((thing) => {
    const same = known.get(thing.id);
    return same !== undefined && isSame(same, thing) ? same : thing;
  });
  return listsDiffer(kept, before) ? kept : before;
}

/** Deep equality of database or JSON values. */
function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => isSame(one[name], other[name]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
