import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE, python } from '../support/python-packages.ts';

/** The package whose source has the JSON Schema Test Suite. */
const PACKAGE = 'jsonschema==4.26.0';

const FOLDER = join(CACHE, PACKAGE.replace('==', '-'));

/**
 * Returns the folder `tests` of the JSON Schema Test Suite, fetched by pip when it is needed first (0.4 MB).
 * @throws Error without Python and pip, or if the package index cannot be reached.
 */
export function fetchSuite(): string {
  if (!existsSync(FOLDER)) {
    const part = `${FOLDER}.part`;
    mkdirSync(part, { recursive: true });
    python(['-m', 'pip', 'download', '--quiet', '--no-deps', '--no-binary', 'jsonschema', '--dest', part, PACKAGE]);
    const archive = readdirSync(part).find((file) => file.endsWith('.tar.gz'))!;
    python(['-m', 'tarfile', '-e', join(part, archive), part]);
    renameSync(part, FOLDER);
  }
  return join(FOLDER, PACKAGE.replace('==', '-'), 'json', 'tests');
}
