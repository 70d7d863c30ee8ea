import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { listenOnLoopback } from '../../../src/command-line/http-server/listen-on-loopback.ts';
import { listen } from '../../../src/command-line/http-server/listen.ts';

const closers: (() => unknown)[] = [];
afterEach(() => closers.splice(0).forEach((close) => close()));

function answeringServer() {
  const server = createServer((_, response) => response.end('answered'));
  closers.push(() => (server.closeAllConnections(), server.close()));
  return server;
}

/** Returns the status of a response from this address. */
async function ask(port: number, host: string) {
  const [response] = (await once(get({ port, host }), 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

async function hasIpv6() {
  const server = createServer();
  const listening = await listen(server, 0, '::1').then(
    () => true,
    () => false,
  );
  server.close();
  return listening;
}

test.skipIf(!(await hasIpv6()))('listens on one port of 127.0.0.1 and ::1, and ends on both', async () => {
  const server = answeringServer();
  const address = await listenOnLoopback(server, 0);
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  const port = Number(new URL(address).port);
  for (const host of ['127.0.0.1', '::1']) {
    expect(await ask(port, host)).toBe(200);
  }
  const closed = once(server, 'close');
  server.closeAllConnections();
  server.close();
  await closed;
  for (const host of ['127.0.0.1', '::1']) {
    await expect(once(connect(port, host), 'connect')).rejects.toThrow('ECONNREFUSED');
  }
});

test('a port that another program uses on the second address is named', async () => {
  const other = createServer();
  closers.push(() => other.close());
  const port = Number(new URL(await listen(other, 0, '127.0.0.2')).port);
  const server = answeringServer();
  await expect(listenOnLoopback(server, port, '127.0.0.2')).rejects.toThrow(`Port ${port} is taken`);
});

test('a machine without IPv6 uses the first address only', async () => {
  const server = answeringServer();
  // An address that no machine has (RFC 3849), just as a machine without IPv6 has no ::1.
  const address = await listenOnLoopback(server, 0, '2001:db8::1');
  expect(await ask(Number(new URL(address).port), '127.0.0.1')).toBe(200);
});
