import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DIST_FOLDER, PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';
import { buildSite } from './build-site.ts';

const SOURCES = ['src', 'scripts/build', 'public', 'vite.config.ts', 'package.json', 'package-lock.json'];
/** Folder of `src` whose changes cause no build, because they do not affect the site. */
const NOT_IN_THE_SITE = join(PROJECT_FOLDER, 'src/command-line');

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
  if (path === NOT_IN_THE_SITE) return false;
  const status = statSync(path);
  if (!status.isDirectory()) return status.mtimeMs > time;
  return readdirSync(path).some((name) => isNewer(join(path, name), time));
}
