import { once } from 'node:events';
import { isLoopbackAddress, parseAllowedOrigin } from '../bridge/bridge-callers.ts';
import { createBridgeServer } from '../bridge/bridge-server.ts';
import { keepPageOpen } from '../browser/keep-page-open.ts';
import type { Command } from './command.ts';
import { listen } from '../http-server/listen.ts';
import { listenOnLoopback } from '../http-server/listen-on-loopback.ts';
import { openPage } from '../browser/open-page.ts';
import { parseOptions, parsePort } from '../parse-options.ts';
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
  const { values } = parseOptions(
    USAGE,
    {
      port: { type: 'string', default: '8787' },
      host: { type: 'string', default: 'localhost' },
      'allow-origin': { type: 'string', multiple: true, default: [] },
      site: { type: 'string' },
    },
    words,
  );
  const port = parsePort(values.port);
  const callers = {
    loopback: isLoopbackAddress(values.host),
    allowedOrigins: values['allow-origin'].map(parseAllowedOrigin),
  };

  const source = values.site === undefined ? await installation.endpointSite() : { folder: values.site, page: '' };
  const site = await serveBuiltSite(source);
  const { path } = installation.findBrowser();
  const browser = await keepPageOpen({ open: () => openPage(site.url + source.page, path, signal), report });
  const server = createBridgeServer({ fetch: browser.fetch, callers, report });
  try {
    const address = await (values.host === 'localhost'
      ? listenOnLoopback(server, port)
      : listen(server, port, values.host));
    if (!callers.loopback) report(openToOthers(values.host));
    console.log(`The endpoint is at ${address}v1\nUse it as base URL, with the key "local". Ctrl-C stops it.`);
    await Promise.race([browser.finished, signal.aborted || once(signal, 'abort')]);
  } finally {
    server.closeAllConnections();
    server.close();
    await browser.close();
    await site.close();
  }
};

function openToOthers(host: string): string {
  return (
    `Warning: with --host ${host} every machine that reaches this one can use the endpoint with the key "local", which is ` +
    'known to everybody, unencrypted and by any host name. Put a server with a certificate and a password in front.'
  );
}
