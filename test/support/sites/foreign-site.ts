import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

export interface ForeignSite {
  /** Its origin, with its own port. */
  readonly origin: string;
  close(): void;
}

/**
 * Serves a site without Tabserve's security headers. Without a folder, every path is an empty page, from which a test
 * acts as an attacker. With a folder, its files are served, as by a host that omits the headers.
 * @param host `localhost` is the same site as ours, at another port; `127.0.0.1` is another site.
 * @param headers Returns the additional headers of a path. Default: none.
 * @param edit Changes the pages of the folder. Default: none.
 */
export async function serveForeignSite(
  host: 'localhost' | '127.0.0.1',
  folder?: string,
  headers: (path: string) => Readonly<Record<string, string>> = () => ({}),
  edit: (html: string) => string = (html) => html,
): Promise<ForeignSite> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://site').pathname;
    const file = folder === undefined ? null : join(folder, path.endsWith('/') ? `${path}index.html` : path);
    if (file !== null && !existsSync(file)) return void response.writeHead(404).end();
    for (const [name, value] of Object.entries(headers(path))) response.setHeader(name, value);
    response.setHeader('content-type', TYPES[extname(file ?? 'page.html')] ?? 'application/octet-stream');
    if (file?.endsWith('.html')) return void response.end(edit(readFileSync(file, 'utf8')));
    response.end(file === null ? '<!doctype html><html lang="en"><title>Foreign</title>' : readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    origin: `http://${host}:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
