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
  /** Its origin, on a port of its own. */
  readonly origin: string;
  close(): void;
}

/**
 * A site that sends none of our headers. Without a folder, every address is an empty page, from which a test does what
 * an attacker would do; with one, it serves its files, as a careless host of ours.
 *
 * @param host `localhost` is the same site as ours, on another port; `127.0.0.1` is another one.
 * @param headers What is sent with a path. Default: nothing but its type.
 */
export async function serveForeignSite(
  host: 'localhost' | '127.0.0.1',
  folder?: string,
  headers: (path: string) => Readonly<Record<string, string>> = () => ({}),
): Promise<ForeignSite> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://site').pathname;
    const file = folder === undefined ? null : join(folder, path.endsWith('/') ? `${path}index.html` : path);
    if (file !== null && !existsSync(file)) return void response.writeHead(404).end();
    for (const [name, value] of Object.entries(headers(path))) response.setHeader(name, value);
    response.setHeader('content-type', TYPES[extname(file ?? 'page.html')] ?? 'application/octet-stream');
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
