import { readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';

/** A file that a site has in its own folder: its path there → what reads it. */
export type SiteFiles = ReadonlyMap<string, () => Promise<Buffer>>;

const SERVICE_WORKER = 'tabserve-service-worker.js';
const SCRIPTS = [SERVICE_WORKER, 'tabserve-upstreams.js'];

/**
 * What a bundler cannot find by itself, because it has to lie at an address of its own. The engine worker is not among
 * it: the page's script names that in a way which bundlers follow.
 * @param library Folder of the built library.
 * @param options.models Whether the built-in models are part of the site. Default: they are.
 * @param options.basePath Path of the endpoint, which the service worker is told. Default: it is told nothing.
 */
export function listSiteFiles(
  library: string,
  { models = true, basePath }: { readonly models?: boolean; readonly basePath?: string },
): SiteFiles {
  const found = models ? readdirSync(join(library, 'models'), { recursive: true, encoding: 'utf8' }) : [];
  const modelFiles = found
    .map((path) => `models/${path.replaceAll('\\', '/')}`)
    // The card of a model is for people; no loader asks for it.
    .filter((path) => !path.endsWith('.md') && statSync(join(library, path)).isFile());
  // What a script says that imports it comes first.
  const told =
    basePath === undefined ? '' : `self.tabserve = { basePath: ${JSON.stringify(basePath)}, ...self.tabserve };\n`;
  const read = async (path: string) => {
    const content = await readFile(join(library, path));
    return path === SERVICE_WORKER ? Buffer.concat([Buffer.from(told), content]) : content;
  };
  return new Map([...SCRIPTS, ...modelFiles].map((path) => [path, () => read(path)]));
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

/** For a development server: answers requests for these files below `base`, and passes on all others. */
export function serveSiteFiles(files: SiteFiles, base: string) {
  return (request: IncomingMessage, response: ServerResponse, next: (fault?: unknown) => void): void => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    const read = pathname.startsWith(base) ? files.get(pathname.slice(base.length)) : undefined;
    if (read === undefined) return next();
    const answer = (content: Buffer) => {
      response.writeHead(200, {
        'content-type': TYPES[extname(pathname)] ?? 'application/octet-stream',
        'content-length': content.length,
        // The next version of the package has other files under the same names.
        'cache-control': 'no-cache',
      });
      response.end(request.method === 'HEAD' ? undefined : content);
    };
    read().then(answer, next);
  };
}
