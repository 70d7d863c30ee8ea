import { realpathSync, statSync, type Stats } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, sep } from 'node:path';
import send from 'send';

/** The only hidden folder that a web server shows (RFC 8615). */
const WELL_KNOWN = '.well-known';

/**
 * Answers a GET or HEAD request for a file of a folder: whole, in the range that is asked for (RFC 9110, section 14), or
 * as unchanged. What is missing, hidden or outside of the folder is a 404. A file that cannot be read to its end closes
 * the connection.
 * @param path The file's address below the folder, encoded as in a URL.
 */
export function sendFile(folder: string, path: string, request: IncomingMessage, response: ServerResponse): void {
  const file = findFile(folder, path);
  if (file === null) return void response.writeHead(404).end();
  // `send` refuses the last bytes of a file that has fewer, although these are the whole file (section 14.1.2).
  const suffix = /^bytes=-(\d+)$/.exec(request.headers.range ?? '')?.[1];
  const stats = statSync(path.endsWith('/') ? join(file, 'index.html') : file, { throwIfNoEntry: false });
  if (suffix !== undefined && Number(suffix) > (stats?.size ?? 0)) delete request.headers.range;
  if (stats?.isFile()) response.setHeader('etag', versionOf(stats));
  send(request, path, { root: folder, dotfiles: 'allow', cacheControl: false })
    .on('error', ({ status = 500, headers = {} }: { status?: number; headers?: Record<string, string> }) => {
      if (response.headersSent) response.destroy();
      else response.writeHead(status, { ...headers, 'cache-control': 'no-store' }).end();
    })
    // `send` would leave out the query.
    .on('directory', () => response.writeHead(301, { location: withSlash(request.url!) }).end())
    .pipe(response);
}

/**
 * Returns a tag that changes with a file. The time of its content does not suffice, as in `send`'s own tags: builds and
 * archives may set the same one each time, and a page that names other scripts may have the same size.
 */
function versionOf({ size, mtimeMs, ctimeMs }: Stats): string {
  return `W/"${[size, mtimeMs, ctimeMs].map((number) => Math.floor(number).toString(16)).join('-')}"`;
}

/** Adds a slash to the path of an address. Two slashes at its beginning would lead to another host. */
function withSlash(address: string): string {
  const { pathname, search } = new URL(address.replace(/^\/+/, '/'), 'http://site');
  return `${pathname.replace(/^\/+/, '/')}/${search}`;
}

/**
 * Returns the real path of a file or folder.
 * @param path The address below the folder, encoded as in a URL.
 * @returns null if it is missing, hidden, or outside of the folder, also by a symbolic link.
 */
export function findFile(folder: string, path: string): string | null {
  try {
    const names = decodeURIComponent(path)
      .split(/[/\\]/)
      .filter((name) => name !== '');
    if (names.some((name, index) => name.startsWith('.') && (index > 0 || name !== WELL_KNOWN))) return null;
    const root = realpathSync(folder);
    const file = realpathSync(join(root, ...names));
    return file === root || file.startsWith(root + sep) ? file : null;
  } catch {
    // Not found, not readable, or no valid address.
    return null;
  }
}
