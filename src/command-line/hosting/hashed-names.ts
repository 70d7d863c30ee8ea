import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/** The folder into which bundlers put files whose names contain a hash of their content. */
export const HASHED_FOLDER = 'assets';

/**
 * Match a path with a hash in the name of the file or of a folder: `/photo.d41d8c.png`, `/parts-7ed43c/worker.js`, or with
 * capitals `/photo-BxYz12ab.png`. A hash has a letter and a digit. Words, numbers, dates and sizes are none, nor is a word with a
 * number beside it: `/hero-image-2.png`, `/photos-20240101/1.jpg`, `/icon-192x192.png`, `/Report-Version2.pdf`.
 */
const HEXADECIMAL = /[-.](?=\d*[a-f])(?=[a-f]*\d)[\da-f]{6,}[./\\]/;
const MIXED = /[-.](?!(?:\d+_?)?[A-Z]?[a-z]+_?\d*[./\\])(?=[\w-]*\d)(?=[\w-]*[A-Z])(?:\w{8,}|[\w-]{8})[./\\]/;

/** Matches a script or style with a hash, which need not have a digit here: in `assets` they come from bundlers. */
const HASH_OF_SCRIPT = /-[\w-]{6,}\.(?:m?js|css|wasm)(?:\.map)?$/;

/**
 * Whether each file of a site's {@link HASHED_FOLDER} may be kept for ever, because another content has another name. In sites
 * of Angular or Jekyll, and in what Vite copies from `public/assets`, names stay the same, and browsers would never get the
 * next version of such a file.
 */
export function hasHashedNames(site: string): boolean {
  const folder = join(site, HASHED_FOLDER);
  if (!existsSync(folder)) return true;
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ parentPath, name }) => join('/', relative(folder, parentPath), name))
    .every((path) => [HEXADECIMAL, MIXED, HASH_OF_SCRIPT].some((hash) => hash.test(path)));
}
