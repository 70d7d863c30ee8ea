import { once } from 'node:events';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join, sep } from 'node:path';
import { ApiError, errorBody } from '../../shared/api-error.ts';
import { MODEL_HOSTS, securityHeaders } from '../../shared/security/security-headers.ts';
import { upstreamInfo, type Upstream } from '../../shared/upstreams/upstream.ts';
import { CommandFailure } from '../run-command.ts';
import { HASHED_FOLDER, hasHashedNames } from '../hosting/hashed-names.ts';
import { MODELS_FOLDER, type LocalModel } from '../local-models.ts';
import { listen } from './listen.ts';
import { findFile, sendFile } from './send-file.ts';
import { siteOptionsScript } from './site-options-script.ts';
import { DIST_FOLDER } from '../project-folders.ts';

export interface SiteOptions {
  /** Folder of the built site. Default: the repository's `dist`. */
  readonly folder?: string;
  /** Subfolder of the first page, with a trailing slash. Default: the root. */
  readonly page?: string;
  /** Port to listen on; 0 means any free port. Default: 0. */
  readonly port?: number;
  /** Name or address to listen on. Default: `localhost`. */
  readonly host?: string;
  /**
   * Additional origins that pages may fetch models from; false for a strict site, which names no other origin. Default:
   * none beside the hosts of the catalogue.
   */
  readonly modelHosts?: readonly string[] | false;
  /** GGUF models that the site offers, by their files. Default: none. */
  readonly gguf?: readonly LocalModel[];
  /** Whether a model may run on the CPU where WebGPU is missing. Default: true. */
  readonly onProcessor?: boolean;
  /** Upstream servers that may answer requests if the visitor allows it. Default: none. */
  readonly upstreams?: readonly Upstream[];
}

export interface Site {
  /** Address of the root, with a trailing slash. */
  readonly url: string;
  close(): Promise<void>;
}

/** Folder of {@link SiteOptions.gguf} on the site. */
const MODELS_PATH = 'models/gguf/';

/** Matches the service workers that get the options of a site: the chat page's and the ready-made one. */
const SERVICE_WORKER = /^(\/[\w-]+)*\/(site|tabserve)-service-worker\.js$/;

/** Serves the built site as in production: with security headers, content types and caching. */
export async function serveBuiltSite(options: SiteOptions = {}): Promise<Site> {
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

function siteListener(folder: string, { modelHosts = [], upstreams = [], gguf = [], onProcessor = true }: SiteOptions) {
  const hosts = modelHosts === false ? [] : [...MODEL_HOSTS, ...modelHosts];
  const headers = securityHeaders(hosts);
  // Only the fields that a site would write in its options.
  const models = gguf.map(({ id, file, contextWindow, chatTemplate, embedding, parallel = 1 }) => ({
    id,
    contextWindow,
    parallel,
    ...(chatTemplate === false && { chatTemplate }),
    ...(embedding && { embedding }),
    gguf: `${MODELS_PATH}${file}`,
  }));
  const hasOptions = upstreams.length + models.length > 0;
  const beginning = siteOptionsScript({
    modelHosts,
    options: { ...(hasOptions && { upstreams, models }), ...(!onProcessor && { gguf: false }) },
  });
  const origins = new Set(upstreams.map((upstream) => upstreamInfo(upstream).origin));
  const serviceWorkerHeaders = securityHeaders([...hosts, ...origins]);
  const keepsHashed = hasHashedNames(folder);

  return (request: IncomingMessage, response: ServerResponse): void => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    const [path = '/'] = (request.url ?? '/').split('?');
    if (path === '/v1' || path.startsWith('/v1/')) return refuseApiRequest(request, response);
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end();
      return void request.resume();
    }
    // Sites whose addresses have no ending are exported as files with one.
    const name = [path, `${path}.html`].find((name) => isPage(folder, name)) ?? path;
    const file = findFile(folder, name);
    if (beginning !== '' && SERVICE_WORKER.test(path) && file !== null)
      return sendServiceWorker(file, beginning, serviceWorkerHeaders, response);
    const isModel = gguf.some((model) => path === `/${MODELS_PATH}${model.file}`);
    // Files with a hash of their content in their names are kept; other files are revalidated. A 404 must not be cached,
    // because an older page may request a file that a new build replaces at that moment.
    const isHashed = keepsHashed && (file?.startsWith(join(realpathSync(folder), HASHED_FOLDER, sep)) ?? false);
    if (file !== null || isModel)
      response.setHeader('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    // A missing file must be a 404, so there is no fallback to the page.
    if (isModel) sendFile(MODELS_FOLDER, path.slice(MODELS_PATH.length), request, response);
    else sendFile(folder, name, request, response);
  };
}

/**
 * Whether an address below the folder is a file, or a folder with a page. A folder without one may stand beside the page of its
 * name: `docs/intro.html` beside `docs.html`.
 */
function isPage(folder: string, name: string): boolean {
  const file = findFile(folder, name);
  if (file === null) return false;
  // A build may just have removed it.
  return (statSync(file, { throwIfNoEntry: false })?.isFile() ?? false) || existsSync(join(file, 'index.html'));
}

/**
 * Sends the service worker's script as a site with options deploys it: preceded by them, and with
 * the upstreams' origins in its own Content-Security-Policy.
 * @param beginning The statements before the script.
 */
function sendServiceWorker(
  file: string,
  beginning: string,
  headers: Readonly<Record<string, string>>,
  response: ServerResponse,
): void {
  const script = readFile(file);
  if (script === null) return void response.writeHead(404).end();
  response.writeHead(200, { ...headers, 'content-type': 'text/javascript', 'cache-control': 'no-cache' });
  response.end(beginning + script);
}

/** Returns null if a build has just removed the file. */
function readFile(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/**
 * Rejects an API request that reached the web server. The service worker should have handled it; the error tells the
 * client why it did not.
 */
function refuseApiRequest(request: IncomingMessage, response: ServerResponse): void {
  const error = new ApiError(
    'unknown_url',
    'This address is answered inside the browser, not by the web server: call it from a page of this site once its service worker is active, or run `npx tabserve bridge` (in its own repository `npm run bridge`) for clients outside the browser.',
  );
  response.writeHead(error.status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(request.method === 'HEAD' ? undefined : JSON.stringify(errorBody(error)));
  request.resume();
}
