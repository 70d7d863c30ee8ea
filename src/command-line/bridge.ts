import { once } from 'node:events';
import { isLoopbackAddress, parseAllowedOrigin } from './bridge-callers.ts';
import { createBridgeServer, listen } from './bridge-server.ts';
import { keepBrowser } from './browser-keeper.ts';
import { buildWhenStale } from './build-when-stale.ts';
import { explainListenError } from './explain-listen-error.ts';
import { parseOptions, parsePort } from './parse-options.ts';
import { CommandFailure, runCommand } from './run-command.ts';
import { serveSite } from './serve-site.ts';

const USAGE = `Offers the endpoint to programs outside the browser: a headless browser answers behind a local HTTP server.

  npm run bridge -- [options]

  --port NUMBER  port to listen on (default 8787; 0 takes a free one)
  --host NAME    name or address to listen on (default 127.0.0.1: this machine only). Anyone who reaches it
                 needs no more than a key, and the default key "local" is known to everybody
  --allow-origin ORIGIN
                 lets pages of another origin call: https://app.example.org, chrome-extension://…, file://, or null.
                 May be given several times; pages of this machine's http servers may always
  --site FOLDER  a built site to use as it is; default: dist, built anew when its sources have changed`;

function report(sentence: string): void {
  console.error(sentence);
}

await runCommand(async (signal) => {
  const { values } = parseOptions(USAGE, {
    port: { type: 'string', default: '8787' },
    host: { type: 'string', default: '127.0.0.1' },
    'allow-origin': { type: 'string', multiple: true, default: [] },
    site: { type: 'string' },
  });
  const port = parsePort(values.port);
  const callers = {
    loopback: isLoopbackAddress(values.host),
    allowedOrigins: values['allow-origin'].map(parseAllowedOrigin),
  };

  const site = await serveSite({ folder: values.site ?? (await buildWhenStale()) });
  const browser = await keepBrowser({ url: site.url, report, signal });
  const server = createBridgeServer({ fetch: browser.fetch, callers, report });
  try {
    const address = await listen(server, port, values.host).catch((error: unknown) => {
      throw new CommandFailure(explainListenError(error, values.host, port), { cause: error });
    });
    console.log(`The endpoint is at ${address}\nUse it as base URL, with the key "local". Ctrl-C stops it.`);
    await Promise.race([browser.finished, signal.aborted || once(signal, 'abort')]);
  } finally {
    server.closeAllConnections();
    server.close();
    await browser.close();
    await site.close();
  }
});
