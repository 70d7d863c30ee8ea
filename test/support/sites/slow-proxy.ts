import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SlowProxy {
  /** Address of the root, with a trailing slash. */
  readonly url: string;
  close(): Promise<void>;
}

export interface SlowProxyOptions {
  /** Address of the site. */
  readonly site: string;
  /** End of the path of the delayed file. All others are sent without delay. */
  readonly file: string;
  /** Milliseconds that the file takes, in forty equal pieces. */
  readonly time: number;
}

/** Starts a proxy of a site that delays one file. */
export async function startSlowProxy({ site, file, time }: SlowProxyOptions): Promise<SlowProxy> {
  const server: Server = createServer((incoming, outgoing) => {
    const { url = '/', method = 'GET', headers } = incoming;
    const upstream = request(new URL(url, site), { method, headers }, async (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      if (!url.endsWith(file)) return void answer.pipe(outgoing);
      const body = Buffer.concat(await answer.toArray());
      const step = Math.ceil(body.length / 40);
      for (let sent = 0; sent < body.length && !outgoing.destroyed; sent += step) {
        await new Promise((resolve) => setTimeout(resolve, time / 40));
        outgoing.write(body.subarray(sent, sent + step));
      }
      outgoing.end();
    });
    upstream.on('error', () => outgoing.destroy());
    incoming.pipe(upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
