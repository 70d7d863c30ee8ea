import { listsDiffer } from './lists-differ.ts';

/**
 * A list that was read anew, in which what has not changed is the object that it was before: what shows it then need not be drawn
 * anew. Where nothing at all has changed it is the list from before itself.
 */
export function keepKnown<Thing extends { readonly id: string }>(
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

/** Whether two values of a database or of JSON say the same. */
function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  return names.length === Object.keys(other).length && names.every((name) => isSame(one[name], other[name]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
