import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DIST_FOLDER, PROJECT_FOLDER } from '../project-folders.ts';
import { buildSite } from './build-site.ts';

const SOURCES = ['src', 'public', 'vite.config.ts', 'package.json', 'package-lock.json'];
/** Folders of `src/command-line` whose changes cause no build, because they do not affect the site. */
const NOT_IN_THE_SITE = new Set(
  ['browser', 'commands', 'testing'].map((name) => join(PROJECT_FOLDER, 'src/command-line', name)),
);

/**
 * Builds the site if it is missing or older than its sources.
 * @returns the folder of the built site.
 * @throws {CommandFailure} if the build fails.
 */
export async function buildWhenStale(): Promise<string> {
  const page = join(DIST_FOLDER, 'index.html');
  const isStale =
    !existsSync(page) || SOURCES.some((name) => isNewer(join(PROJECT_FOLDER, name), statSync(page).mtimeMs));
  return isStale ? buildSite() : DIST_FOLDER;
}

function isNewer(path: string, time: number): boolean {
  if (NOT_IN_THE_SITE.has(path)) return false;
  const status = statSync(path);
  if (!status.isDirectory()) return status.mtimeMs > time;
  return readdirSync(path).some((name) => isNewer(join(path, name), time));
}
