import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import type { Plugin } from 'vite';

const TYPES: Readonly<Record<string, string>> = { '.wasm': 'application/wasm', '.js': 'text/javascript' };

export interface CopiedFiles {
  /** Name used in the plugin's name and in the folder's name. */
  readonly name: string;
  /**
   * Name of the constant that contains the folder's path, relative to the site's root, with a trailing slash. Default:
   * there is none, because the folder is the same everywhere.
   */
  readonly constant?: string;
  /** The files, or what makes them when a build or a server begins. */
  readonly files: ReadonlyMap<string, Buffer> | (() => Promise<ReadonlyMap<string, Buffer>>);
  /** The folder on the site. Default: a folder in `assets` whose name has a hash of the files. */
  readonly folder?: string | undefined;
}

/** Adds files to a build, in their own folder, and serves them in development. */
export function copyFiles({ name, constant, files, folder }: CopiedFiles): Plugin {
  let copied: ReadonlyMap<string, Buffer>;
  let path: string;
  return {
    name: `tabserve:${name}`,
    async config() {
      copied = typeof files === 'function' ? await files() : files;
      path = folder ?? `assets/${name}-${hashOf(copied)}/`;
      return constant === undefined ? {} : { define: { [constant]: JSON.stringify(path) } };
    },
    generateBundle() {
      for (const [file, source] of copied) this.emitFile({ type: 'asset', fileName: `${path}${file}`, source });
    },
    configureServer({ middlewares }) {
      middlewares.use(`/${path}`, (request, response, next) => {
        const file = (request.url ?? '').slice(1);
        const content = copied.get(file);
        if (content === undefined) return next();
        const type = TYPES[extname(file)] ?? 'application/octet-stream';
        response.writeHead(200, { 'content-type': type, 'cross-origin-embedder-policy': 'require-corp' }).end(content);
      });
    },
  };
}

/** Returns six digits of a hash, among them a letter and a digit, by which `tabserve host` tells a hash from a number or a word. */
function hashOf(files: ReadonlyMap<string, Buffer>): string {
  const hash = createHash('sha256');
  for (const content of files.values()) hash.update(content);
  return /(?=\d{0,5}[a-f])(?=[a-f]{0,5}\d).{6}/.exec(hash.digest('hex'))![0];
}
