import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';
import { packageEntries } from './package-entries.ts';

test('the API reference has every module that the package exports', () => {
  const docs = join(PROJECT_FOLDER, 'docs');
  const { entryPoints } = JSON.parse(readFileSync(join(docs, 'typedoc.json'), 'utf8')) as { entryPoints: string[] };
  const described = entryPoints.map((path) => resolve(docs, path));
  expect(described.toSorted()).toEqual([...packageEntries().values()].toSorted());
  // A module outside the compiled folders would be left out with only a warning.
  const { include } = JSON.parse(readFileSync(join(docs, 'tsconfig.json'), 'utf8')) as { include: string[] };
  const folders = include.map((path) => resolve(docs, path));
  expect(described.filter((path) => !folders.includes(dirname(path)))).toEqual([]);
});
