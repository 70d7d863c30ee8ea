import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface DyingServer {
  /** Address of the root, with a trailing slash. */
  readonly url: string;
  /** From then on, the server serves every file. */
  revive(): void;
  close(): Promise<void>;
}

/**
 * A proxy of a site that breaks each connection except for the given files, until it is revived.
 * @param site Address of the site.
 * @param serves Whether a path is served before that.
 */
export async function startDyingServer(site: string, serves: (path: string) => boolean): Promise<DyingServer> {
  let alive = false;
  const server: Server = createServer((incoming, outgoing) => {
    const { url = '/', method = 'GET', headers } = incoming;
    if (!alive && !serves(url)) return void outgoing.destroy();
    const upstream = request(new URL(url, site), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    upstream.on('error', () => outgoing.destroy());
    incoming.pipe(upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    revive: () => (alive = true),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
