import { join } from 'node:path';
import { buildLibraryFiles } from './build-library-files.ts';
import { PROJECT_FOLDER } from './project-folders.ts';
import { CommandFailure, runCommand } from './run-command.ts';
import { runTool } from './run-tool.ts';

await runCommand(async () => {
  const folder = join(PROJECT_FOLDER, 'library');
  await buildLibraryFiles(folder);
  await buildLibraryTypes(join(folder, 'types'));
});

/**
 * Writes the type declarations of the two modules that other sites import.
 * @param outDir Folder for the declarations.
 */
async function buildLibraryTypes(outDir: string): Promise<void> {
  for (const context of ['page', 'service-worker']) {
    const options =
      '--noEmit false --incremental false --tsBuildInfoFile null --emitDeclarationOnly --declaration --rootDir src';
    const status = await runTool(`tsc -p src/${context} ${options} --outDir "${outDir}"`);
    if (status !== 0)
      throw new CommandFailure(`The types of src/${context} could not be written: see the errors above.`);
  }
}
