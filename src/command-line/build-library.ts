import { join } from 'node:path';
import { buildLibraryFiles } from './build-library-files.ts';
import { buildLibraryTypes } from './build-library-types.ts';
import { PROJECT_FOLDER } from './project-folders.ts';
import { runCommand } from './run-command.ts';

await runCommand(async () => {
  const folder = join(PROJECT_FOLDER, 'library');
  await buildLibraryFiles(folder);
  await buildLibraryTypes(join(folder, 'types'));
});
