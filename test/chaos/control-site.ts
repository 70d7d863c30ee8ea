import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const SCRIPTS: Readonly<Record<string, string>> = {
  '/shared-worker.js': `onconnect = ({ ports: [port] }) => port.postMessage('started');`,
  '/service-worker.js': `onfetch = ({ request }) => void request;`,
  '/answering-worker.js': `
    oninstall = () => skipWaiting();
    onactivate = (event) => event.waitUntil(clients.claim());
    onfetch = (event) => {
      if (new URL(event.request.url).pathname === '/answer') event.respondWith(new Response('worker'));
      else if (event.request.mode === 'navigate') event.respondWith(fetch(event.request));
    };`,
};

const PAGES: Readonly<Record<string, string>> = {
  '/registering': `<!doctype html><title>Control</title><script>navigator.serviceWorker.register('/answering-worker.js')</script>`,
};

export interface ControlSite {
  /** Address of its page, with a trailing slash. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * A site that has nothing to do with the endpoint: an empty page, a shared worker that says one word, a service
 * worker. Its host is another than that of the endpoint, so that a browser puts it into processes of its own.
 */
export async function serveControlSite(): Promise<ControlSite> {
  const server = createServer(({ url = '/' }, response) => {
    const script = SCRIPTS[url];
    response.setHeader('content-type', script === undefined ? 'text/html' : 'text/javascript');
    response.end(script ?? PAGES[url] ?? '<!doctype html><title>Control</title>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
