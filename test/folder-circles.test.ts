import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { IMPORTS } from './support/import-graph.ts';

/** For each folder with subfolders: the subfolders that each of them imports. */
const byParent = new Map<string, Map<string, Set<string>>>();
for (const [file, targets] of IMPORTS) {
  for (const target of targets) {
    const [from, to] = [file.split('/'), target.split('/')];
    const depth = from.findIndex((part, index) => part !== to[index]);
    // Equal folders, or a file beside a folder.
    if (depth < 0 || depth >= from.length - 1 || depth >= to.length - 1) continue;
    const parent = posix.join('src', ...from.slice(0, depth));
    const siblings = byParent.get(parent) ?? new Map<string, Set<string>>();
    byParent.set(parent, siblings);
    siblings.set(from[depth]!, (siblings.get(from[depth]!) ?? new Set()).add(to[depth]!));
  }
}

/** Returns the folders that `start` imports, directly or through other folders beside it. */
function reached(siblings: ReadonlyMap<string, ReadonlySet<string>>, start: string): ReadonlySet<string> {
  const found = new Set(siblings.get(start));
  for (const folder of found) for (const next of siblings.get(folder) ?? []) found.add(next);
  return found;
}

test('folders beside each other do not import each other in a circle', () => {
  expect(byParent.size).toBeGreaterThan(5);
  const circles = [...byParent].flatMap(([parent, siblings]) =>
    [...siblings.keys()].filter((folder) => reached(siblings, folder).has(folder)).map((one) => `${parent}/${one}`),
  );
  expect(circles).toEqual([]);
});
