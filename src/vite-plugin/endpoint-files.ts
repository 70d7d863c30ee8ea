import { readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';

/** Functions that read each file, by the path that the file gets within the site. */
export type EndpointFiles = ReadonlyMap<string, () => Promise<Buffer>>;

const SERVICE_WORKER = 'tabserve-service-worker.js';
const SCRIPTS = [SERVICE_WORKER, 'tabserve-upstreams.js'];

/**
 * The files that a site needs at fixed addresses: service worker, upstreams script, reader of documents, models and llama.cpp. The engine
 * worker is not listed: bundlers find it by the `new URL()` in the page's script.
 * @param library Folder of the built library.
 * @param options.models Whether the site includes the built-in models. Default: true.
 * @param options.gguf Whether the site includes llama.cpp. Default: false.
 * @param options.modelHosts Whether models of other hosts may be added. Default: true.
 * @param options.basePath Path of the endpoint, set in the service worker's script. Default: not set.
 */
export function listEndpointFiles(
  library: string,
  options: {
    readonly models?: boolean;
    readonly gguf?: boolean;
    readonly modelHosts?: boolean;
    readonly basePath?: string;
  },
): EndpointFiles {
  const { models = true, gguf = false, modelHosts = true, basePath } = options;
  const folders = ['tabserve-document-reader', ...(models ? ['models'] : []), ...(gguf ? ['tabserve-llama-cpp'] : [])];
  const modelFiles = folders
    .flatMap((folder) =>
      readdirSync(join(library, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
    )
    .map((path) => path.replaceAll('\\', '/'))
    // Leaves out the model cards and source maps, which no code fetches, and GGUF files if nothing reads them.
    .filter((path) => !/\.(?:md|map)$/.test(path) && (gguf || !path.endsWith('.gguf')))
    .filter((path) => statSync(join(library, path)).isFile());
  // A script that imports the service worker may set the same options; its values take precedence over these defaults.
  const defaults = {
    ...(basePath === undefined ? {} : { basePath }),
    ...(gguf ? { gguf } : {}),
    ...(models ? {} : { builtInModels: [] }),
    ...(modelHosts ? {} : { modelHosts }),
  };
  const prefix =
    Object.keys(defaults).length === 0 ? '' : `self.tabserve = { ...${JSON.stringify(defaults)}, ...self.tabserve };\n`;
  const read = async (path: string) => {
    const content = await readFile(join(library, path));
    return path === SERVICE_WORKER ? Buffer.concat([Buffer.from(prefix), content]) : content;
  };
  return new Map([...SCRIPTS, ...modelFiles].map((path) => [path, () => read(path)]));
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

/**
 * Middleware of a development server that serves these files below `base`.
 * @param headers Sent with each file. Default: none.
 */
export function serveEndpointFiles(files: EndpointFiles, base: string, headers: Readonly<Record<string, string>> = {}) {
  return (request: IncomingMessage, response: ServerResponse, next: (fault?: unknown) => void): void => {
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    const read = pathname.startsWith(base) ? files.get(pathname.slice(base.length)) : undefined;
    if (read === undefined) return next();
    const answer = (content: Buffer) => {
      response.writeHead(200, {
        ...headers,
        'content-type': TYPES[extname(pathname)] ?? 'application/octet-stream',
        'content-length': content.length,
        // Files keep their names in a new version of the package, so browsers must revalidate them.
        'cache-control': 'no-cache',
      });
      response.end(request.method === 'HEAD' ? undefined : content);
    };
    read().then(answer, next);
  };
}
