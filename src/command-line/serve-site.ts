import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { preview, type Plugin } from 'vite';
import { API_ERROR_CODES } from '../shared/api-error.ts';
import { MODEL_HOSTS, securityHeaders } from '../shared/security-headers.ts';
import { upstreamInfo, type Upstream } from '../shared/upstream.ts';
import { CommandFailure } from './run-command.ts';
import { explainListenError } from './explain-listen-error.ts';
import { DIST_FOLDER } from './project-folders.ts';

export interface SiteOptions {
  /** Folder of the built site. Default: the repository's `dist`. */
  readonly folder?: string;
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

/** Serves the built site as production should: security headers, types, caching. */
export async function serveSite(options: SiteOptions = {}): Promise<Site> {
  const { folder = DIST_FOLDER, port = 0, host = 'localhost', modelHosts = [], upstreams = [] } = options;
  if (!existsSync(join(folder, 'index.html'))) {
    throw new CommandFailure(`There is no built site in ${folder}: run \`npm run build\` first.`);
  }
  const server = await preview({
    configFile: false,
    logLevel: 'silent',
    root: folder,
    // Without the fallback of single-page sites a missing file is a 404, never the page under another name.
    appType: 'mpa',
    build: { outDir: folder },
    preview: { port, host, strictPort: true },
    plugins: [
      ...(upstreams.length > 0 ? [configuredServiceWorker(folder, upstreams, [...MODEL_HOSTS, ...modelHosts])] : []),
      siteResponses(folder, securityHeaders([...MODEL_HOSTS, ...modelHosts])),
    ],
  }).catch((error: unknown) => {
    throw new CommandFailure(explainListenError(error, host, port), { cause: error });
  });
  const url = server.resolvedUrls?.local[0] ?? server.resolvedUrls?.network[0];
  if (!url) throw new Error('The server listens, but has no address.');
  return { url, close: () => server.close() };
}

/**
 * The site's service worker as whoever names upstreams deploys it: the options in a line before it, and their origins in
 * the Content-Security-Policy of this one file.
 */
function configuredServiceWorker(
  folder: string,
  upstreams: readonly Upstream[],
  modelHosts: readonly string[],
): Plugin {
  const headers = securityHeaders([
    ...modelHosts,
    ...new Set(upstreams.map((upstream) => upstreamInfo(upstream).origin)),
  ]);
  return {
    name: 'tabserve:configured-service-worker',
    configurePreviewServer(server) {
      server.middlewares.use('/site-service-worker.js', (_, response) => {
        const script = readFileSync(join(folder, 'site-service-worker.js'), 'utf8');
        response.writeHead(200, { ...headers, 'content-type': 'text/javascript', 'cache-control': 'no-cache' });
        response.end(`self.tabserve = ${JSON.stringify({ upstreams })};\n${script}`);
      });
    },
  };
}

/** What every answer carries beside its file. */
function siteResponses(folder: string, headers: Record<string, string>): Plugin {
  return {
    name: 'tabserve:responses',
    configurePreviewServer(server) {
      server.middlewares.use((request, response, next) => {
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
        const path = new URL(request.url ?? '/', 'http://site').pathname;
        if (path === '/v1' || path.startsWith('/v1/')) return refuseApiRequest(request, response);
        // Built files are named after their content; everything else asks again, answered by 304. A missing file
        // must not be remembered: it may be a page of one build asking while the next one replaces it.
        if (path.startsWith('/assets/') && existsSync(join(folder, path)))
          response.setHeader('cache-control', 'public, max-age=31536000, immutable');
        next();
      });
    },
  };
}

/** The endpoint is the visitor's browser. A request that gets here came past it, and its sender should learn why. */
function refuseApiRequest(request: IncomingMessage, response: ServerResponse): void {
  const [status, type] = API_ERROR_CODES.unknown_url;
  const message =
    'This address is answered inside the browser, not by the web server: call it from a page of this site once its service worker is active, or run `npm run bridge` for clients outside the browser.';
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(
    request.method === 'HEAD'
      ? undefined
      : JSON.stringify({ error: { message, type, param: null, code: 'unknown_url' } }),
  );
  request.resume();
}
