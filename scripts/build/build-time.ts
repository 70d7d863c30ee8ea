import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROJECT_FOLDER } from '../../src/command-line/project-folders.ts';

/** The time of the last build in seconds. The folder is deleted together with the installed packages. */
const FILE = join(PROJECT_FOLDER, 'node_modules/.cache/tabserve/build-seconds');

/**
 * Returns what `npm start` prints before it builds, with the time that the last build took on this machine.
 * @param file Default: that of this project.
 */
export function announceBuild(file = FILE): string {
  const seconds = lastBuild(file);
  const first = 'Building the site first: the built-in models, the page and its workers. Then it is served.';
  return seconds === null
    ? `${first} The first time, this takes a minute or more.`
    : `${first} The last time, this took ${Math.ceil(seconds)} s.`;
}

/**
 * Stores the time of a build. A failure is ignored, because the time is only a help.
 * @param file Default: that of this project.
 */
export function rememberBuildTime(seconds: number, file = FILE): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, String(seconds));
  } catch {}
}

function lastBuild(file: string): number | null {
  try {
    const seconds = Number(readFileSync(file, 'utf8'));
    return seconds > 0 && Number.isFinite(seconds) ? seconds : null;
  } catch {
    return null;
  }
}
