import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname } from 'node:path';
import type { SiteFiles } from './site-files.ts';

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
