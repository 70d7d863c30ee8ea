import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CommandFailure } from '../run-command.ts';
import { DIST_FOLDER, PROJECT_FOLDER } from '../project-folders.ts';
import { runTool } from '../run-tool.ts';

const SOURCES = ['src', 'public', 'vite.config.ts', 'package.json', 'package-lock.json'];
/** Of `src/command-line`, only `build` changes the site. */
const NOT_IN_THE_SITE = new Set(
  ['browser', 'commands', 'testing'].map((name) => join(PROJECT_FOLDER, 'src/command-line', name)),
);

/**
 * Builds the site when it is missing or older than anything it is made of, and says so on standard error.
 *
 * @returns the folder of the built site.
 */
export async function buildWhenStale(): Promise<string> {
  const page = join(DIST_FOLDER, 'index.html');
  if (existsSync(page) && !SOURCES.some((name) => isNewer(join(PROJECT_FOLDER, name), statSync(page).mtimeMs))) {
    return DIST_FOLDER;
  }
  console.error('Building the site…');
  if ((await runTool('npm run --silent build', { output: 'ignore' })) !== 0) {
    throw new CommandFailure('The site could not be built: `npm run build` says why.');
  }
  return DIST_FOLDER;
}

function isNewer(path: string, time: number): boolean {
  if (NOT_IN_THE_SITE.has(path)) return false;
  const status = statSync(path);
  if (!status.isDirectory()) return status.mtimeMs > time;
  return readdirSync(path).some((name) => isNewer(join(path, name), time));
}
