import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Root of the repository or of the installed package. The path is the same for both, because the built command is at
 * the same depth.
 */
export const PROJECT_FOLDER = fileURLToPath(new URL('../../', import.meta.url));

/** Output of `npm run build`. */
export const DIST_FOLDER = fileURLToPath(new URL('../../dist', import.meta.url));

/** Output of `npm run build:library`: the package's files. */
export const LIBRARY_FOLDER = fileURLToPath(new URL('../../library', import.meta.url));

export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(PROJECT_FOLDER, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  return version;
}
