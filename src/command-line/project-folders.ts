import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the repository; in the package, whose command lies as deep, the package's own. */
export const PROJECT_FOLDER = fileURLToPath(new URL('../../', import.meta.url));

/** Where `npm run build` puts the site. */
export const DIST_FOLDER = fileURLToPath(new URL('../../dist', import.meta.url));

/** Where `npm run build:library` puts what the package consists of. */
export const LIBRARY_FOLDER = fileURLToPath(new URL('../../library', import.meta.url));

/** The version in package.json, the only place where it is written: of the package and of all that is built for it. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(PROJECT_FOLDER, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  return version;
}
