import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';

/** Imports and re-exports of values, and dynamic imports. A worker is started by `new URL()`, so it does not count. */
const IMPORTED_VALUES =
  /^(?:import|export)\s+(?!type\b)(?:\{(?<names>[^}]*)\}|[^'"{]*?)?(?:\s*from\s*)?'(?<path>\.[^'?]+)'|\bimport\('(?<lazy>\.[^'?]+)'\)/gm;

/** Returns the modules that run where the given one runs, with those that load later. */
function modulesOf(entry: string): ReadonlySet<string> {
  const found = new Set([entry]);
  for (const file of found) {
    const code = readFileSync(join(PROJECT_FOLDER, 'src', file), 'utf8');
    for (const { groups = {} } of code.matchAll(IMPORTED_VALUES)) {
      const names = groups['names']?.split(',').filter((name) => name.trim() !== '') ?? [];
      const areTypes = names.length > 0 && names.every((name) => name.trim().startsWith('type '));
      const path = posix.join(posix.dirname(file), groups['path'] ?? groups['lazy'] ?? '');
      if (!areTypes && path.endsWith('.ts')) found.add(path);
    }
  }
  return found;
}

test('no reader of documents runs on the thread of the page, so that no file can block it', () => {
  const page = modulesOf('chat/main.ts');
  // The page's own way to the readers is followed.
  expect(page).toContain('chat/attachments/read-in-worker.ts');
  expect([...page].filter((file) => file.startsWith('document-reader/'))).toEqual([]);
  expect(modulesOf('document-reader/document-worker.ts')).toContain('document-reader/pdf/page-text.ts');
});
