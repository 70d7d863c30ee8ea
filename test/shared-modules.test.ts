import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_FOLDER } from '../src/command-line/project-folders.ts';

/** Imports, re-exports, dynamic imports and workers by `new URL()`, of types too. */
const SPECIFIERS = /(?:\bfrom|\bimport|\bURL)\s*\(?\s*'(\.[^'?]+)/g;

/** The modules that each module of `src` imports, as paths from `src`. */
const imports = new Map(
  readdirSync(join(PROJECT_FOLDER, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.replaceAll('\\', '/'))
    .map((file) => {
      const code = readFileSync(join(PROJECT_FOLDER, 'src', file), 'utf8');
      const targets = Array.from(code.matchAll(SPECIFIERS), ([, specifier = '']) =>
        posix.join(posix.dirname(file), specifier),
      );
      return [file, targets] as const;
    }),
);

const contextOf = (file: string): string => file.split('/')[0]!;

/** The contexts that import a module of `shared`, directly or through other modules of `shared`. */
function contextsOf(shared: string): readonly string[] {
  const importers = new Set([shared]);
  for (const target of importers) {
    if (contextOf(target) !== 'shared') continue;
    for (const [file, targets] of imports) if (targets.includes(target)) importers.add(file);
  }
  return [...new Set([...importers].map(contextOf))].filter((context) => context !== 'shared').toSorted();
}

const sharedModules = [...imports.keys()].filter((file) => contextOf(file) === 'shared');

test('at least two contexts use each module of src/shared', () => {
  expect(sharedModules).not.toEqual([]);
  const usedOnce = sharedModules
    .map((file) => ({ file, contexts: contextsOf(file) }))
    .filter((module) => module.contexts.length < 2);
  expect(usedOnce).toEqual([]);
});
