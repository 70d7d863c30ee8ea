import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import sirv from 'sirv';
import { API_ERROR_CODES } from '../../shared/api-error.ts';
import { MODEL_HOSTS, securityHeaders } from '../../shared/security/security-headers.ts';
import { upstreamInfo, type Upstream } from '../../shared/upstreams/upstream.ts';
import { CommandFailure } from '../run-command.ts';
import { listen } from './listen.ts';
import { DIST_FOLDER } from '../project-folders.ts';

export interface SiteOptions {
  /** Folder of the built site. Default: the repository's `dist`. */
  readonly folder?: string;
  /** Folder of its first page below that one, with a slash at its end. Default: none, it is in the folder itself. */
  readonly page?: string;
  /** 0 takes any free port, which is the default. */
  readonly port?: number;
  /** Name or address to listen on. Default: `localhost`. */
  readonly host?: string;
  /** Origins beside the usual ones that pages may fetch models from. */
  readonly modelHosts?: readonly string[];
  /** Engines beyond the visitor's device, which the visitor may allow. Default: none. */
  readonly upstreams?: readonly Upstream[];
}

export interface Site {
  /** Address of the root, with a trailing slash. */
  readonly url: string;
  close(): Promise<void>;
}

/** Service workers of which {@link SiteOptions.upstreams} become options: the chat page's, and the ready-made one. */
const SERVICE_WORKER = /^(\/[\w-]+)*\/(site|tabserve)-service-worker\.js$/;

/** Serves the built site as production should: security headers, types, caching. */
export async function serveSite(options: SiteOptions = {}): Promise<Site> {
  const { folder = DIST_FOLDER, page = '', port = 0, host = 'localhost' } = options;
  if (!existsSync(join(folder, page, 'index.html'))) {
    throw new CommandFailure(
      `There is no built site in ${folder}, for it has no index.html: build it first, as with \`npm run build\`, or name its folder.`,
    );
  }
  const server = createServer(siteListener(folder, options));
  return {
    url: await listen(server, port, host),
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function siteListener(folder: string, { modelHosts = [], upstreams = [] }: SiteOptions) {
  const headers = securityHeaders([...MODEL_HOSTS, ...modelHosts]);
  // The folder is read anew for each request, as it may be built anew meanwhile.
  const sendFile = sirv(folder, { dev: true, etag: true });

  return (request: IncomingMessage, response: ServerResponse): void => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const [path = '/'] = (request.url ?? '/').split('?');
    if (path === '/v1' || path.startsWith('/v1/')) return refuseApiRequest(request, response);
    if (upstreams.length > 0 && SERVICE_WORKER.test(path) && existsSync(join(folder, path)))
      return sendServiceWorker(join(folder, path), upstreams, [...MODEL_HOSTS, ...modelHosts], response);
    // Built files are named after their content; everything else asks again, answered by 304. A missing file
    // must not be remembered: it may be a page of one build asking while the next one replaces it.
    if (path.startsWith('/assets/') && existsSync(join(folder, path)))
      response.setHeader('cache-control', 'public, max-age=31536000, immutable');
    // Without the fallback of single-page sites a missing file is a 404, never the page under another name.
    sendFile(request, response, () => void response.writeHead(404).end());
  };
}

/**
 * The site's service worker as whoever names upstreams deploys it: the options in a line before it, and their origins in
 * the Content-Security-Policy of this one file.
 */
function sendServiceWorker(
  file: string,
  upstreams: readonly Upstream[],
  modelHosts: readonly string[],
  response: ServerResponse,
): void {
  const origins = new Set(upstreams.map((upstream) => upstreamInfo(upstream).origin));
  const headers = securityHeaders([...modelHosts, ...origins]);
  response.writeHead(200, { ...headers, 'content-type': 'text/javascript', 'cache-control': 'no-cache' });
  response.end(`self.tabserve = ${JSON.stringify({ upstreams })};\n${readFileSync(file, 'utf8')}`);
}

/** The endpoint is the visitor's browser. A request that gets here came past it, and its sender should learn why. */
function refuseApiRequest(request: IncomingMessage, response: ServerResponse): void {
  const [status, type] = API_ERROR_CODES.unknown_url;
  const message =
    'This address is answered inside the browser, not by the web server: call it from a page of this site once its service worker is active, or run `npx tabserve bridge` (in its own repository `npm run bridge`) for clients outside the browser.';
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(
    request.method === 'HEAD'
      ? undefined
      : JSON.stringify({ error: { message, type, param: null, code: 'unknown_url' } }),
  );
  request.resume();
}
