import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ForeignSite {
  /** Its origin, on a port of its own. */
  readonly origin: string;
  close(): void;
}

/**
 * A site whose every address is an empty page, from which a test does what an attacker would do.
 * @param host `localhost` is the same site as ours, on another port; `127.0.0.1` is another one.
 */
export async function serveForeignSite(host: 'localhost' | '127.0.0.1'): Promise<ForeignSite> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><html lang="en"><title>Foreign</title>');
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
