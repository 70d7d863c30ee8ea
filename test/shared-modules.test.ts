import { expect, test } from 'vitest';
import { IMPORTS } from './support/import-graph.ts';

const contextOf = (file: string): string => file.split('/')[0]!;

/** The contexts that import a module of `shared`, directly or through other modules of `shared`. */
function contextsOf(shared: string): readonly string[] {
  const importers = new Set([shared]);
  for (const target of importers) {
    if (contextOf(target) !== 'shared') continue;
    for (const [file, targets] of IMPORTS) if (targets.includes(target)) importers.add(file);
  }
  return [...new Set([...importers].map(contextOf))].filter((context) => context !== 'shared').toSorted();
}

const sharedModules = [...IMPORTS.keys()].filter((file) => contextOf(file) === 'shared');

test('at least two contexts use each module of src/shared', () => {
  expect(sharedModules).not.toEqual([]);
  const usedOnce = sharedModules
    .map((file) => ({ file, contexts: contextsOf(file) }))
    .filter((module) => module.contexts.length < 2);
  expect(usedOnce).toEqual([]);
});
