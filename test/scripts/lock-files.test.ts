import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly integrity?: string }>>;
}

// npm omits the hash of a package for another platform if it writes the lock file beside an installed node_modules. In a
// folder without that, `npm install --package-lock-only` adds it once the entry is deleted.
test.each(['package-lock.json', 'docs/package-lock.json'])(
  'each package in %s has a hash, those of other platforms too',
  (path) => {
    const { packages } = JSON.parse(readFileSync(join(PROJECT_FOLDER, path), 'utf8')) as LockFile;
    const entries = Object.entries(packages).filter(([name]) => name !== '');
    expect(entries.filter(([, { integrity }]) => !integrity).map(([name]) => name)).toEqual([]);
    expect(entries.length).toBeGreaterThan(100);
  },
);
