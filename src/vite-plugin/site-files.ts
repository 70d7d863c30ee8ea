import { createReadStream, readdirSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';

/** A file of the library that a site has in its own folder: its path there → where it lies. */
export type SiteFiles = ReadonlyMap<string, string>;

const SCRIPTS = ['tabserve-service-worker.js', 'tabserve-upstreams.js'];

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

/**
 * What a bundler cannot find by itself, because it has to lie at an address of its own. The engine worker is not among
 * it: the page's script names that in a way which bundlers follow.
 * @param library Folder of the built library.
 * @param models Whether the built-in models are part of the site.
 */
export function listSiteFiles(library: string, models: boolean): SiteFiles {
  const found = models ? readdirSync(join(library, 'models'), { recursive: true, encoding: 'utf8' }) : [];
  const modelFiles = found
    .map((path) => `models/${path.replaceAll('\\', '/')}`)
    // The card of a model is for people; no loader asks for it.
    .filter((path) => !path.endsWith('.md') && statSync(join(library, path)).isFile());
  return new Map([...SCRIPTS, ...modelFiles].map((path) => [path, join(library, path)]));
}

/** For a development server: answers requests for these files below `base`, and passes on all others. */
export function serveSiteFiles(files: SiteFiles, base: string) {
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    const file = pathname.startsWith(base) ? files.get(pathname.slice(base.length)) : undefined;
    if (file === undefined) return next();
    response.writeHead(200, {
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      'content-length': statSync(file).size,
      // The next version of the package has other files under the same names.
      'cache-control': 'no-cache',
    });
    if (request.method === 'HEAD') response.end();
    else createReadStream(file).pipe(response);
  };
}
