import { fileURLToPath } from 'node:url';

/** Root of the repository. */
export const PROJECT_FOLDER = fileURLToPath(new URL('../../', import.meta.url));

/** Where `npm run build` puts the site. */
export const DIST_FOLDER = fileURLToPath(new URL('../../dist', import.meta.url));
