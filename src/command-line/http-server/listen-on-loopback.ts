import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { listen } from './listen.ts';
import { CommandFailure } from '../run-command.ts';

/** Error codes of a machine without IPv6: IPv6 is switched off, or the loopback interface has no IPv6 address. */
const WITHOUT_ADDRESS = /EADDRNOTAVAIL|EAFNOSUPPORT/;

/**
 * Makes a server listen on one port of both loopback addresses, because `localhost` may resolve to either. Closing the
 * server closes both.
 * @param port 0 means any free port.
 * @param secondAddress Ignored if the machine does not have it. Default: the loopback address of IPv6.
 * @returns the root address by IPv4, with a trailing slash.
 * @throws {CommandFailure} if the server cannot listen, or if another program has the port of the second address.
 */
export async function listenOnLoopback(server: Server, port: number, secondAddress = '::1'): Promise<string> {
  const address = await listen(server, port, '127.0.0.1');
  // An HTTP server can listen only once. So a second server listens on the other address, and passes its connections to
  // the first.
  const second = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket));
  server.once('close', () => second.close());
  try {
    await listen(second, (server.address() as AddressInfo).port, secondAddress);
  } catch (error) {
    const lacksAddress = error instanceof CommandFailure && WITHOUT_ADDRESS.test(String(error.cause));
    if (lacksAddress) return address;
    server.close();
    await once(server, 'close');
    throw error;
  }
  return address;
}
