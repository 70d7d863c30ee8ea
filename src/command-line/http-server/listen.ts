import { once } from 'node:events';
import { isIP, type Server } from 'node:net';
import { CommandFailure } from '../run-command.ts';
import { errorMessage } from '../../shared/error-message.ts';

/**
 * Makes a server listen and returns its root address, with a trailing slash.
 * @param port 0 means any free port.
 * @param host Name or address to listen on.
 * @throws {CommandFailure} if the server cannot listen.
 */
export async function listen(server: Server, port: number, host: string): Promise<string> {
  // Node would listen on all addresses, as for a variable of a shell that is not set.
  if (host === '') throw new CommandFailure('--host takes a name or an address, but it is empty.');
  server.listen(port, host);
  await once(server, 'listening').catch((error: unknown) => {
    throw new CommandFailure(explainListenError(error, host, port), { cause: error });
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.');
  // A server that listens on all addresses is reachable as localhost.
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${isIP(name) === 6 ? `[${name}]` : name}:${address.port}/`;
}

function explainListenError(error: unknown, host: string, port: number): string {
  const text = errorMessage(error);
  if (/in use|EADDRINUSE/.test(text)) return `Port ${port} is taken: stop what uses it, or choose another with --port.`;
  if (/EACCES/.test(text))
    return `Port ${port} needs more rights than this user has: choose one from 1024 on with --port.`;
  if (/ENOTFOUND|EADDRNOTAVAIL/.test(text)) return `${host} is not an address of this machine: correct --host.`;
  return `The server could not listen on ${host}:${port}: ${text}`;
}
