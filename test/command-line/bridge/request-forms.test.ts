import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import type { PageRequest } from '../../../src/command-line/browser/page-fetch.ts';
import { EARLY_HEADERS_HEADER } from '../../../src/shared/http/early-headers.ts';
import { createBridgeServer } from '../../../src/command-line/bridge/bridge-server.ts';
import { listen } from '../../../src/command-line/http-server/listen.ts';

const closers: (() => unknown)[] = [];
afterEach(() => closers.splice(0).forEach((close) => close()));

/** Starts a bridge for this machine, and records the requests that its page received. */
function startBridge(respond: () => Response = () => new Response('{}')) {
  const requests: PageRequest[] = [];
  const server = createBridgeServer({
    fetch: async (request) => {
      requests.push(request);
      return respond();
    },
    callers: { loopback: true, allowedOrigins: [] },
    report: () => {},
  });
  closers.push(() => (server.closeAllConnections(), server.close()));
  return { server, requests };
}

/** Sends bytes as they are, and returns all bytes of the response. */
async function sendRaw(port: number, head: string, body: Uint8Array = new Uint8Array()) {
  const socket = connect(port, '127.0.0.1');
  closers.push(() => socket.destroy());
  socket.write(head.replaceAll('\n', '\r\n'));
  socket.write(body);
  return text(socket);
}

/** Starts a bridge on a free port, for requests that are sent byte by byte. */
async function rawBridge(respond?: () => Response) {
  const { server, requests } = startBridge(respond);
  const port = Number(new URL(await listen(server, 0, '127.0.0.1')).port);
  return { server, port, requests, send: (head: string, body?: Uint8Array) => sendRaw(port, head, body) };
}

const status = (response: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(response)?.[1]);

test.for([
  ['HTTP/1.0 without a host', 'GET /v1/models HTTP/1.0\n\n', 200],
  ['HTTP/1.0 with the host of another machine', 'GET /v1/models HTTP/1.0\nHost: evil.example\n\n', 403],
  [
    'HTTP/1.0 without a host, of a page of another site',
    'GET /v1/models HTTP/1.0\nOrigin: https://evil.example\n\n',
    403,
  ],
  ['HTTP/1.1 without a host', 'GET /v1/models HTTP/1.1\nConnection: close\n\n', 400],
  ['an empty host', 'GET /v1/models HTTP/1.1\nHost:\nConnection: close\n\n', 403],
  ['an absolute target', 'GET http://127.0.0.1:80/v1/models HTTP/1.1\nHost: localhost\nConnection: close\n\n', 200],
  ['an absolute target in capitals', 'GET HTTP://LOCALHOST/v1/models HTTP/1.0\n\n', 200],
  [
    'an absolute target on another machine',
    'GET http://evil.example/v1/models HTTP/1.1\nHost: localhost\nConnection: close\n\n',
    403,
  ],
  ['an absolute target with a backslash', 'GET http://evil.example\\@localhost/v1/models HTTP/1.0\n\n', 400],
  [
    'an absolute target with the host of another machine',
    'GET http://localhost/v1/models HTTP/1.1\nHost: evil.example\nConnection: close\n\n',
    403,
  ],
  ['an absolute target of another scheme', 'GET https://localhost/v1/models HTTP/1.0\n\n', 404],
  ['an absolute target without a path', 'GET http://localhost HTTP/1.0\n\n', 404],
  ['an absolute target that reaches a file through dots', 'GET http://localhost/v1/../index.html HTTP/1.0\n\n', 404],
  ['slashes that are repeated', 'GET //v1///models HTTP/1.0\n\n', 200],
  ['repeated slashes that reach a file through dots', 'GET //v1//..//index.html HTTP/1.0\n\n', 404],
] as const)('%s', async ([, head, expected]) => {
  const { requests, send } = await rawBridge();
  expect(status(await send(head))).toBe(expected);
  expect(requests.map(({ path }) => path)).toEqual(expected === 200 ? ['/v1/models'] : []);
});

test('repeated slashes of a query are kept', async () => {
  const { requests, send } = await rawBridge();
  await send('GET //v1/models?after=a//b HTTP/1.0\n\n');
  expect(requests).toMatchObject([{ path: '/v1/models?after=a//b' }]);
});

test('a connection without a request stays open for longer than clients keep it, as they are told', async () => {
  const { port } = await rawBridge();
  const { headers } = await fetch(`http://127.0.0.1:${port}/v1/models`);
  expect(Number(/timeout=(\d+)/.exec(headers.get('keep-alive') ?? '')?.[1])).toBeGreaterThan(60);
});

test('hop-by-hop headers are removed in both directions', async () => {
  const { requests, send } = await rawBridge(
    () =>
      new Response('{}', { headers: { connection: 'x-hop', 'keep-alive': 'timeout=9', 'x-hop': '1', 'x-kept': '1' } }),
  );
  const response = await send(
    'GET /v1/models HTTP/1.1\nHost: localhost\nConnection: close, HTTP2-Settings\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\n' +
      'Upgrade: h2c\nTE: trailers\nKeep-Alive: timeout=5\nProxy-Authorization: Basic eA==\nX-Kept: 1\n\n',
  );
  expect(status(response)).toBe(200);
  expect(requests[0]?.headers).toEqual([
    ['Host', 'localhost'],
    ['X-Kept', '1'],
    [EARLY_HEADERS_HEADER, '1'],
  ]);
  expect(response).toContain('x-kept: 1');
  expect(response).not.toMatch(/x-hop|timeout=9/);
});

const BODY = JSON.stringify({ model: 'pocket', messages: [{ role: 'user', content: 'ä😀' }] });

const post = (coding: string, length: number) =>
  `POST /v1/chat/completions HTTP/1.0\nContent-Type: application/json\nContent-Encoding: ${coding}\nContent-Length: ${length}\n\n`;

test.for([
  ['gzip', gzipSync(BODY)],
  ['X-GZip', gzipSync(BODY)],
  ['deflate', deflateSync(BODY)],
  ['br', brotliCompressSync(BODY)],
  ['identity, gzip', gzipSync(BODY)],
  ['identity', Buffer.from(BODY)],
] as const)('a body with content-encoding %s is decoded', async ([coding, bytes]) => {
  const { requests, send } = await rawBridge();
  expect(status(await send(post(coding, bytes.length), bytes))).toBe(200);
  expect(Buffer.from(requests[0]?.body ?? []).toString()).toBe(BODY);
  expect(requests[0]?.headers?.map(([name]) => name)).toEqual(['Content-Type', 'Content-Length', EARLY_HEADERS_HEADER]);
});

test.for([
  ['an unknown content coding', 'zstd', Buffer.from(BODY), 415, 'unsupported_content_type'],
  ['two codings', 'gzip, br', Buffer.from(BODY), 415, 'unsupported_content_type'],
  ['a body that is not encoded', 'gzip', Buffer.from(BODY), 400, 'invalid_value'],
  ['a truncated body', 'gzip', gzipSync(BODY).subarray(0, -9), 400, 'invalid_value'],
] as const)('%s is refused without a request to the page', async ([, coding, bytes, expected, code]) => {
  const { requests, send } = await rawBridge();
  const response = await send(post(coding, bytes.length), bytes);
  expect(status(response)).toBe(expected);
  expect(JSON.parse(response.slice(response.indexOf('{')))).toMatchObject({ error: { code } });
  expect(requests).toEqual([]);
});

const ZEROS = Buffer.alloc(64 * 1024 * 1024);

test.for([
  ['gzip', gzipSync(ZEROS)],
  ['deflate', deflateSync(ZEROS)],
  ['br', brotliCompressSync(ZEROS, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
] as const)(
  'of a decompression bomb in %s no more is decoded than the endpoint needs to refuse it',
  async ([coding, bomb]) => {
    const { requests, send } = await rawBridge(() => new Response('{}', { status: 413 }));
    expect(status(await send(post(coding, bomb.length), bomb))).toBe(413);
    expect(requests[0]?.body?.length).toBe(20 * 1024 * 1024 + 1);
  },
);

test('an encoded body whose client disconnects causes no request to the page', async () => {
  const { server, port, requests, send } = await rawBridge();
  const bytes = gzipSync(BODY);
  const socket = connect(port, '127.0.0.1');
  socket.write(post('gzip', bytes.length + 1).replaceAll('\n', '\r\n'));
  socket.write(bytes);
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  const closed = new Promise((resolve) => request.once('close', resolve));
  socket.resetAndDestroy();
  await closed;
  expect(status(await send('GET /v1/models HTTP/1.0\n\n'))).toBe(200);
  expect(requests).toMatchObject([{ path: '/v1/models' }]);
});

test('slashes that look like a host are a path of the endpoint', async () => {
  const { requests, send } = await rawBridge();
  await send('GET //evil.example/v1/models HTTP/1.0\n\n');
  expect(requests.map(({ path }) => path)).toEqual(['/v1/evil.example/v1/models']);
});
