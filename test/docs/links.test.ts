import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';

/** Folders without documents of this repository, or with built ones only. */
const WITHOUT_DOCUMENTS = /(^|\/)(node_modules|dist|library|docs\/api|\.[^/]*|[^/]*-results[^/]*)(\/|$)/;

const DOCUMENTS = ['.', 'docs', 'examples', 'public', 'src', 'test', 'training', '.changeset'].flatMap((folder) =>
  readdirSync(join(PROJECT_FOLDER, folder), { recursive: folder !== '.', encoding: 'utf8' })
    .map((path) => join(folder, path).replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.md') && !WITHOUT_DOCUMENTS.test(path.replace(/^\.changeset\//, ''))),
);

// `npm run docs` checks only links between pages, not links to source files.
test.each(DOCUMENTS)('each link of %s leads to a file', (document) => {
  const text = readFileSync(join(PROJECT_FOLDER, document), 'utf8').replaceAll(/^```.*?^```|`[^`\n]*`/gms, '');
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!.replace(/#.*/, ''));
  const files = targets.filter((target) => target !== '' && !/^[a-z]+:/.test(target));
  expect(files.filter((file) => !existsSync(join(PROJECT_FOLDER, dirname(document), file)))).toEqual([]);
});
