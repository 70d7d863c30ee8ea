import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { buildTabserveCommand } from './build-tabserve-command.ts';
import { buildLibraryFiles } from './build-library-files.ts';
import { LIBRARY_FOLDER } from '../../src/command-line/project-folders.ts';
import { CommandFailure, runCommand } from '../../src/command-line/run-command.ts';
import { runInProject } from '../run-in-project.ts';
import { writeNotices } from './library-notices.ts';

/** For each context with types, the module of its entry. */
const TYPED_ENTRIES = {
  page: 'index',
  'service-worker': 'index',
  react: 'use-tabserve',
  ai: 'index',
  'prompt-api': 'index',
  'vite-plugin': 'tabserve',
};

await runCommand(async () => {
  if ((await runInProject('npm run --silent build:pocket')) !== 0)
    throw new CommandFailure('The built-in models could not be built: see the errors above.');
  await buildLibraryFiles(LIBRARY_FOLDER);
  await buildTabserveCommand(join(LIBRARY_FOLDER, 'command-line'));
  writeNotices(LIBRARY_FOLDER);
  await buildTypes(join(LIBRARY_FOLDER, 'types'));
});

/** Writes the type declarations of the package's entries and of the modules that they import. */
async function buildTypes(outDir: string): Promise<void> {
  const all = mkdtempSync(join(tmpdir(), 'tabserve-types-'));
  try {
    for (const context of Object.keys(TYPED_ENTRIES)) {
      const options =
        '--noEmit false --incremental false --tsBuildInfoFile null --emitDeclarationOnly --declaration --rootDir src';
      const status = await runInProject(`tsc -p src/${context} ${options} --outDir "${all}"`);
      if (status !== 0)
        throw new CommandFailure(`The types of src/${context} could not be written: see the errors above.`);
    }
    const needed = new Set(
      Object.entries(TYPED_ENTRIES).map(([context, entry]) => join(all, context, `${entry}.d.ts`)),
    );
    for (const file of needed) {
      const text = readFileSync(file, 'utf8');
      for (const [, path] of text.matchAll(/(?:from |import\()'(\.[^']*)\.ts'/g)) {
        needed.add(join(dirname(file), `${path}.d.ts`));
      }
      const target = join(outDir, relative(all, file));
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, text);
    }
  } finally {
    rmSync(all, { recursive: true, force: true });
  }
  // Declarations for the scripts that are loaded by address and export nothing.
  writeFileSync(join(outDir, 'script.d.ts'), 'export {};\n');
}
