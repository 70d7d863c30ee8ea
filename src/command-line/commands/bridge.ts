import { once } from 'node:events';
import { isLoopbackAddress, parseAllowedOrigin } from '../bridge/bridge-callers.ts';
import { createBridgeServer } from '../bridge/bridge-server.ts';
import { keepPageOpen, type KeptPage } from '../browser/keep-page-open.ts';
import type { PageFetch } from '../browser/page-fetch.ts';
import type { Command } from './command.ts';
import { listen } from '../http-server/listen.ts';
import { listenOnLoopback } from '../http-server/listen-on-loopback.ts';
import { openPage } from '../browser/open-page.ts';
import { parseOptions, parsePort } from '../parse-options.ts';
import { reportWaiting } from '../report-waiting.ts';
import { CommandFailure } from '../run-command.ts';
import { serveBuiltSite } from '../http-server/serve-built-site.ts';

const USAGE = `Offers the endpoint to programs outside the browser: a headless browser answers behind a local HTTP server.
It speaks the APIs of the endpoint below /v1.

  npx tabserve bridge [options]

  --port NUMBER  port to listen on (default 8787; 0 takes a free one)
  --host NAME    name or address to listen on (default localhost: this machine only, as 127.0.0.1 and ::1).
                 Anyone who reaches it needs no more than a key, and the default key "local" is known to everybody
  --allow-origin ORIGIN
                 lets pages of another origin call: https://app.example.org, chrome-extension://…, file://, or null.
                 May be given several times. Pages of web servers at localhost, 127.0.0.1 or [::1] may always
  --site FOLDER  a built site that answers; default: one of the package's own, with the built-in model

In Tabserve's repository: npm run bridge -- [options]`;

function report(sentence: string): void {
  console.error(sentence);
}

/** `tabserve bridge`: relays HTTP requests to the endpoint of a page in a headless browser. Runs until interrupted. */
export const bridge: Command = async (words, installation, signal) => {
  const { values, positionals } = parseOptions(
    USAGE,
    {
      port: { type: 'string', default: '8787' },
      host: { type: 'string', default: 'localhost' },
      'allow-origin': { type: 'string', multiple: true, default: [] },
      site: { type: 'string' },
    },
    words,
  );
  if (positionals.length > 0)
    throw new CommandFailure(`bridge takes options only, not "${positionals[0]}": npx tabserve bridge --port 8787`);
  const port = parsePort(values.port);
  const host = values.host.toLowerCase();
  const callers = {
    loopback: isLoopbackAddress(host),
    allowedOrigins: values['allow-origin'].map(parseAllowedOrigin),
  };

  const source = values.site === undefined ? await installation.endpointSite() : { folder: values.site, page: '' };
  const site = await serveBuiltSite(source);
  const { path } = installation.findBrowser();
  let browser: KeptPage | null = null;
  let onOpened!: (page: KeptPage) => void;
  const opened = new Promise<KeptPage>((resolve) => (onOpened = resolve));
  const fetch: PageFetch = async (request) => (await opened).fetch(request);
  const server = createBridgeServer({ fetch, callers, report });
  try {
    // Before the browser, which takes long to start: a port that is taken is told at once, and early requests wait.
    const address = await (host === 'localhost' ? listenOnLoopback(server, port) : listen(server, port, host));
    if (!callers.loopback) report(openToOthers(host));
    const stopWaiting = reportWaiting(`Starting ${path}`);
    const open = () => openPage(site.url + source.page, path, signal);
    browser = await keepPageOpen({ open, report }).finally(stopWaiting);
    onOpened(browser);
    console.log(`The endpoint is at ${address}v1\nUse it as base URL, with the key "local". Ctrl-C stops it.`);
    await Promise.race([browser.finished, signal.aborted || once(signal, 'abort')]);
  } finally {
    server.closeAllConnections();
    server.close();
    await browser?.close();
    await site.close();
  }
};

function openToOthers(host: string): string {
  return (
    `Warning: with --host ${host} every machine that reaches this one can use the endpoint with the key "local", which is ` +
    'known to everybody, unencrypted and by any host name. Put a server with a certificate and a password in front.'
  );
}
