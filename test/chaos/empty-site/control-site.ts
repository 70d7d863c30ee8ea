import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const SCRIPTS: Readonly<Record<string, string>> = {
  '/dedicated-worker.js': `postMessage('started');`,
  '/shared-worker.js': `onconnect = ({ ports: [port] }) => port.postMessage('started');`,
  '/service-worker.js': `onfetch = ({ request }) => void request;`,
  '/answering-worker.js': `
    oninstall = () => skipWaiting();
    onactivate = (event) => event.waitUntil(clients.claim());
    onfetch = (event) => {
      if (new URL(event.request.url).pathname === '/answer') event.respondWith(new Response('worker'));
      else if (event.request.mode === 'navigate') event.respondWith(fetch(event.request));
    };`,
  '/keeping-worker.js': `
    oninstall = (event) => {
      skipWaiting();
      event.waitUntil(caches.open('worker').then((cache) => cache.addAll(Array.from({ length: 40 }, (_, n) => '/file?worker' + n))));
    };
    onactivate = (event) => event.waitUntil(clients.claim());
    onfetch = (event) => {
      if (event.request.mode !== 'navigate') event.respondWith(caches.match(event.request).then((kept) => kept ?? fetch(event.request)));
    };`,
};

/** A file that arrives in two parts, so that a cache is still storing it when a fault happens. */
const FILE = { part: 'x'.repeat(150_000), pause: 40 };

const PAGES: Readonly<Record<string, string>> = {
  '/registering': `<!doctype html><title>Control</title><script>navigator.serviceWorker.register('/answering-worker.js')</script>`,
};

export interface ControlSite {
  /** Address of its page, with a trailing slash. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves a site without Tabserve: an empty page, trivial workers and a service worker. Its host differs from the
 * endpoint's, so that the browser runs it in other processes.
 */
export async function serveControlSite(): Promise<ControlSite> {
  const server = createServer(({ url = '/' }, response) => {
    const script = SCRIPTS[url];
    if (url.startsWith('/file')) {
      response.write(FILE.part);
      setTimeout(() => response.end(FILE.part), FILE.pause * Math.random());
      return;
    }
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
