import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import {
  isLoopbackAddress,
  parseAllowedOrigin,
  type BridgeCallers,
} from '../../../src/command-line/bridge/bridge-callers.ts';
import { createBridgeServer } from '../../../src/command-line/bridge/bridge-server.ts';
import { listen } from '../../../src/command-line/http-server/listen.ts';
import type { PageFetch, PageRequest } from '../../../src/command-line/browser/page-fetch.ts';

/** Node 20 lacks `Promise.withResolvers`. */
function withResolvers<T = unknown>() {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((given) => (resolve = given));
  return { promise, resolve };
}

const closers: (() => unknown)[] = [];
afterEach(() => closers.splice(0).forEach((close) => close()));

/** Starts a bridge to a page that responds with `answer`. Default: accepts requests from this machine only. */
async function bridge(
  answer: PageFetch,
  callers: Partial<BridgeCallers> = {},
  report: (sentence: string) => void = () => {},
) {
  const server = createBridgeServer({
    fetch: answer,
    callers: { loopback: true, allowedOrigins: [], ...callers },
    report,
  });
  closers.push(() => (server.closeAllConnections(), server.close()));
  const { port } = new URL(await listen(server, 0, '127.0.0.1'));
  return (path: string, options: RequestOptions = {}, body?: string | Buffer) => {
    const request = httpRequest({ host: '127.0.0.1', port, path, ...options });
    request.end(body);
    return { request, response: once(request, 'response').then(([response]) => response as IncomingMessage) };
  };
}

/** A page that records its requests. */
function recorder(response: () => Response = () => new Response('{}')) {
  const requests: PageRequest[] = [];
  const fetch: PageFetch = async (request) => {
    requests.push(request);
    return response();
  };
  return { fetch, requests };
}

test('passes method, path, query, headers and body on unchanged', async () => {
  const { fetch, requests } = recorder();
  const send = await bridge(fetch);
  const body = Buffer.from([0, 1, 127, 128, 255, ...Buffer.from('ä😀')]);
  await send(
    '/v1/a%2Fb?c=d%20e',
    { method: 'PUT', headers: { Authorization: 'Bearer x', 'X-Twice': ['1', '2'] } },
    body,
  ).response;
  const [request] = requests;
  expect(request).toMatchObject({ path: '/v1/a%2Fb?c=d%20e', method: 'PUT' });
  expect(request?.headers).toEqual(
    expect.arrayContaining([
      ['Authorization', 'Bearer x'],
      ['X-Twice', '1'],
      ['X-Twice', '2'],
    ]),
  );
  expect(Buffer.from(request?.body ?? [])).toEqual(body);
});

test('returns status, reason, headers and bytes of the response', async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  const send = await bridge(
    recorder(() => new Response(bytes, { status: 418, statusText: 'Teapot', headers: { 'x-request-id': 'req_1' } }))
      .fetch,
  );
  const response = await send('/v1/models').response;
  expect(response).toMatchObject({ statusCode: 418, statusMessage: 'Teapot' });
  expect(response.headers['x-request-id']).toBe('req_1');
  expect(await text(response.setEncoding('latin1'))).toBe(String.fromCharCode(...bytes));
});

test.for(['HEAD', 'OPTIONS'])('answers %s without a body', async (method) => {
  const send = await bridge(recorder(() => new Response(null, { status: 204, headers: { allow: 'POST' } })).fetch);
  const response = await send('/v1/models', { method }).response;
  expect(response).toMatchObject({ statusCode: 204, headers: { allow: 'POST' } });
  expect(await text(response)).toBe('');
});

test('sends the headers, then each piece as it arrives', async () => {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const stream = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) });
  const send = await bridge(recorder(() => new Response(stream)).fetch);
  const response = (await send('/v1/models').response).setEncoding('utf8');
  const pieces = response[Symbol.asyncIterator]();
  for (const piece of ['data: 1\n\n', 'data: 2\n\n']) {
    controller.enqueue(Buffer.from(piece));
    expect(await pieces.next()).toEqual({ value: piece, done: false });
  }
  controller.close();
  expect((await pieces.next()).done).toBe(true);
});

test('cancels the response when the client disconnects during it', async () => {
  const cancelled = withResolvers();
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from('data: 1\n\n')),
    cancel: cancelled.resolve,
  });
  const send = await bridge(recorder(() => new Response(stream)).fetch);
  const { request, response } = send('/v1/models');
  await once(await response, 'data');
  request.destroy();
  await expect(cancelled.promise).resolves.not.toThrow();
});

test('aborts a request whose client disconnects before the response', async () => {
  const asked = withResolvers<AbortSignal>();
  const send = await bridge(({ signal }) => {
    asked.resolve(signal!);
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  });
  const { request, response } = send('/v1/models');
  response.catch(() => {});
  const signal = await asked.promise;
  request.once('error', () => {});
  request.destroy();
  if (!signal.aborted) await once(signal, 'abort');
  expect(signal.aborted).toBe(true);
});

test('closes the connection when the page dies during a response, so that clients see it as incomplete', async () => {
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from('data: 1\n\n')),
    pull: (controller) => controller.error(new Error('The page is gone.')),
  });
  const send = await bridge(recorder(() => new Response(stream)).fetch);
  const response = await send('/v1/models').response;
  await expect(text(response)).rejects.toThrow('aborted');
});

test('answers 503 with a time to retry while there is no page', async () => {
  const send = await bridge(async () => {
    throw new Error('Target crashed');
  });
  const response = await send('/v1/models').response;
  expect(response).toMatchObject({
    statusCode: 503,
    headers: { 'retry-after': '1', 'access-control-allow-origin': '*' },
  });
  expect(response.headers['x-request-id']).toMatch(/^req_[0-9a-f]{32}$/);
  expect(JSON.parse(await text(response))).toMatchObject({ error: { code: 'engine_unavailable', param: null } });
});

test('reads no more of a huge body than the endpoint needs to refuse it', async () => {
  const { fetch, requests } = recorder();
  const send = await bridge(fetch);
  await send('/v1/chat/completions', { method: 'POST' }, Buffer.alloc(22 * 1024 * 1024)).response;
  expect(requests[0]?.body?.length).toBe(20 * 1024 * 1024 + 1);
});

test('eight simultaneous large bodies take bounded memory: those beyond it get a 429, and succeed afterwards', async () => {
  const released = withResolvers<void>();
  let bytes = 0;
  const send = await bridge(async ({ body }) => {
    bytes += body?.length ?? 0;
    await released.promise;
    return new Response('{}');
  });
  const body = Buffer.alloc(19.5 * 1024 * 1024);
  const post = () => send('/v1/chat/completions', { method: 'POST' }, body).response;
  // The bridge holds at most three of these bodies, so at least five requests are refused while the page is busy.
  const refused = withResolvers<void>();
  const statuses: (number | undefined)[] = [];
  const responses = Array.from({ length: 8 }, async () => {
    const response = await post();
    statuses.push(response.statusCode);
    if (statuses.length === 5) refused.resolve();
    return response;
  });
  await refused.promise;
  expect(statuses).toEqual(Array.from({ length: 5 }, () => 429));
  expect(bytes).toBeLessThanOrEqual(64 * 1024 * 1024);
  released.resolve();
  const limited = (await Promise.all(responses)).find(({ statusCode }) => statusCode === 429)!;
  expect(limited.headers['retry-after']).toBe('1');
  expect(JSON.parse(await text(limited))).toMatchObject({ error: { code: 'rate_limit_exceeded', type: 'requests' } });
  for (let index = 0; index < 4; index++) expect((await post()).statusCode).toBe(200);
});

test('a path with dots that stays below /v1 is passed on', async () => {
  const { fetch, requests } = recorder();
  const send = await bridge(fetch);
  await send('/v1/chat/../models?a=/../..').response;
  expect(requests).toMatchObject([{ path: '/v1/chat/../models?a=/../..' }]);
});

test('a method that no page can send is refused with the methods of that route', async () => {
  const { fetch, requests } = recorder(
    () => new Response(null, { status: 204, headers: { allow: 'GET, HEAD, OPTIONS' } }),
  );
  const send = await bridge(fetch);
  const response = await send('/v1/models', { method: 'TRACE' }).response;
  expect(response).toMatchObject({ statusCode: 405, headers: { allow: 'GET, HEAD, OPTIONS' } });
  expect(JSON.parse(await text(response))).toMatchObject({ error: { code: 'method_not_supported', param: null } });
  expect(requests).toMatchObject([{ path: '/v1/models', method: 'OPTIONS' }]);
});

test.for([
  ['the root', '/', {}, 404, 'unknown_url'],
  ['a file of the site, through dots', '/v1/../index.html', {}, 404, 'unknown_url'],
  ['a file of the site, through dots at the end', '/v1/..', {}, 404, 'unknown_url'],
  ['a file of the site, through encoded dots', '/v1/%2e%2E/index.html', {}, 404, 'unknown_url'],
  ['a file of the site, through half-encoded dots', '/v1/models/.%2e/%2E./index.html', {}, 404, 'unknown_url'],
  ['a file of the site, through dots without /v1', '/v2/../../index.html', {}, 404, 'unknown_url'],
  ['a file of the site, through backslashes', '/v1\\..\\index.html', {}, 404, 'unknown_url'],
  ['a file of the site, through backslashes after /v1/', '/v1/..\\index.html', {}, 404, 'unknown_url'],
  [
    'a foreign host name that resolves to this machine',
    '/v1/models',
    { headers: { host: 'evil.example' } },
    403,
    'forbidden_request',
  ],
  [
    'a web page of another machine',
    '/v1/models',
    { headers: { origin: 'https://evil.example' } },
    403,
    'forbidden_request',
  ],
  ['a page without an origin', '/v1/models', { headers: { origin: 'null' } }, 403, 'forbidden_request'],
  [
    'a link, image or frame of another site',
    '/v1/models',
    { headers: { 'sec-fetch-site': 'cross-site' } },
    403,
    'forbidden_request',
  ],
  [
    'a host name that merely begins like this machine',
    '/v1',
    { headers: { host: '127.0.0.1.nip.example' } },
    403,
    'forbidden_request',
  ],
] as const)('refuses %s without a request to the page', async ([, path, options, status, code]) => {
  const { fetch, requests } = recorder();
  const send = await bridge(fetch);
  const response = await send(path, options).response;
  expect(response.statusCode).toBe(status);
  expect(JSON.parse(await text(response))).toMatchObject({ error: { code } });
  expect(requests).toEqual([]);
});

test.for([
  ['127.0.0.1:8787', undefined],
  ['localhost', 'http://localhost:3000'],
  ['[::1]:8787', 'http://[::1]:3000'],
  ['api.localhost:8787', 'https://127.0.0.1'],
])('serves the host %s and the origin %s of this machine', async ([host, origin]) => {
  const send = await bridge(recorder().fetch);
  const response = await send('/v1/models', { headers: { host, ...(origin ? { origin } : {}) } }).response;
  expect(response.statusCode).toBe(200);
});

const FOREIGN_ORIGINS = [
  'null',
  'file://',
  'chrome-extension://abcdefghijklmnopabcdefghijklmnop',
  'moz-extension://2f1a0c5e-5f0e-4e7a-9f5b-0d1c2b3a4f5e',
  'app://-',
  'https://app.example.org',
  'http://app.example.org:8080',
  // These name this machine, but no web server on it serves them.
  'capacitor://localhost',
  'ionic://localhost',
  'tauri://localhost',
  'http://tauri.localhost',
  'http://localhost.example.org',
];

test.for(FOREIGN_ORIGINS)(
  'the origin %s is refused with its name and the option that allows it, which works',
  async (origin) => {
    const reports: string[] = [];
    const { fetch, requests } = recorder();
    const closed = await bridge(fetch, {}, (sentence) => reports.push(sentence));
    for (const method of ['OPTIONS', 'POST', 'GET']) {
      const response = await closed('/v1/models', { method, headers: { origin } }).response;
      expect(response.statusCode).toBe(403);
      expect(response.headers).not.toHaveProperty('access-control-allow-origin');
      expect(JSON.parse(await text(response)).error).toMatchObject({
        code: 'forbidden_request',
        message: expect.stringContaining(`--allow-origin "${origin}"`),
      });
    }
    // The browser hides the reason from the page's author, so the terminal shows it, once per origin.
    expect(reports).toEqual([expect.stringContaining(`origin "${origin}"`)]);
    expect(requests).toEqual([]);

    const open = await bridge(fetch, { allowedOrigins: ['https://other.example', parseAllowedOrigin(origin)] });
    expect((await open('/v1/models', { headers: { origin } }).response).statusCode).toBe(200);
    const rebound = await open('/v1/models', { headers: { origin, host: 'evil.example' } }).response;
    expect(rebound.statusCode).toBe(403);
    expect(JSON.parse(await text(rebound)).error.message).toContain('the host "evil.example"');
    const other = await open('/v1/models', { headers: { origin: 'https://evil.example' } }).response;
    expect(other.statusCode).toBe(403);
  },
);

test('with allowed origins, a bridge for other machines serves those, this machine and programs, no others', async () => {
  const send = await bridge(recorder().fetch, { loopback: false, allowedOrigins: ['https://app.example'] });
  const status = async (headers: Record<string, string>) =>
    (await send('/v1/models', { headers: { host: 'my-machine', ...headers } }).response).statusCode;
  expect(await status({ origin: 'https://app.example' })).toBe(200);
  expect(await status({ origin: 'http://localhost:3000' })).toBe(200);
  expect(await status({})).toBe(200);
  expect(await status({ origin: 'https://evil.example' })).toBe(403);
});

test('requests from ever new origins print a limited number of lines', async () => {
  const reports: string[] = [];
  const send = await bridge(recorder().fetch, {}, (sentence) => reports.push(sentence));
  for (let index = 0; index < 30; index++) {
    await send('/v1/models', { headers: { origin: `https://n${index}.example` } }).response;
  }
  expect(reports).toHaveLength(20);
});

test.for([
  ['HTTPS://App.Example.org:443/', 'https://app.example.org'],
  ['http://192.168.0.2:8080', 'http://192.168.0.2:8080'],
  ['chrome-extension://abcdef/', 'chrome-extension://abcdef'],
  ['file://', 'file://'],
  ['null', 'null'],
])('--allow-origin %s allows the origin %s', ([text, origin]) => {
  expect(parseAllowedOrigin(text!)).toBe(origin);
});

test.for([
  '',
  '*',
  'https://*',
  'https://*.example.org',
  'app.example.org',
  'https://a.example/path',
  'https://u@a.example',
  'file:',
  'https://',
])('--allow-origin %j is a usage error', (text) => {
  expect(() => parseAllowedOrigin(text)).toThrow(/^--allow-origin takes an origin such as/);
});

test('a bridge for other machines serves programs by any host name, but no pages of other origins', async () => {
  const send = await bridge(recorder().fetch, { loopback: false });
  const status = async (headers: Record<string, string>) =>
    (await send('/v1/models', { headers: { host: 'my-machine', ...headers } }).response).statusCode;
  expect(await status({})).toBe(200);
  expect(await status({ origin: 'http://localhost:3000' })).toBe(200);
  expect(await status({ origin: 'https://my-site.example' })).toBe(403);
  expect(await status({ 'sec-fetch-site': 'cross-site' })).toBe(403);
});

test.for(['/v1/models', '/v2'])('no page can embed the response to %s', async (path) => {
  const { headers } = await (await bridge(recorder().fetch))(path).response;
  expect(headers['cross-origin-resource-policy']).toBe('same-origin');
});

test.for([
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['localhost', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['192.168.0.2', false],
  ['127.evil.example', false],
] as const)('treats %s as this machine only: %s', ([host, expected]) => {
  expect(isLoopbackAddress(host)).toBe(expected);
});

const JSON_TYPE = { 'content-type': 'application/json' };
const ENGINE_LOST =
  '{"error":{"message":"The tab was closed.","type":"server_error","param":null,"code":"engine_unavailable"}}';
const MESSAGES_ERROR = '{"type":"error","error":{"type":"overloaded_error","message":"The tab was closed."}}';

/** A page that sends its headers immediately, then white space, and the document when `end` is called. */
function slowPage(document: string) {
  const { promise: end, resolve } = withResolvers<() => void>();
  const fetch: PageFetch = async () =>
    new Response(
      new ReadableStream<Uint8Array>({
        start(controller) {
          const send = (text: string) => controller.enqueue(Buffer.from(text));
          send(' ');
          resolve(() => {
            send('\n');
            send(document.slice(0, 5));
            send(document.slice(5));
            controller.close();
          });
        },
      }),
      { headers: JSON_TYPE },
    );
  return { fetch, end: async () => (await end)() };
}

test.each([
  ['an error', ENGINE_LOST, 503],
  ['an error of the Messages API', MESSAGES_ERROR, 503],
  ['an error of the Messages API without its own status', MESSAGES_ERROR.replace('overloaded', 'api'), 500],
  ['a response that failed', '{"id":"resp_1","status":"failed","error":{"code":"server_error"}}', 200],
  ['an answer', '{"id":"chatcmpl-1","choices":[]}', 200],
])('%s in a slow JSON response has its status', async (_, document, status) => {
  const page = slowPage(document);
  const { response } = (await bridge(page.fetch))('/v1/chat/completions', { method: 'POST' }, '{}');
  await page.end();
  const { statusCode, headers } = await response;
  expect(statusCode).toBe(status);
  expect(headers['content-type']).toBe('application/json');
  expect((await text(await response)).trim()).toBe(document);
});

test('a client whose stated timeout is nearly over gets the headers before the JSON body begins', async () => {
  const page = slowPage(ENGINE_LOST);
  const headers = { 'x-stainless-timeout': '0.05' };
  const { response } = (await bridge(page.fetch))('/v1/chat/completions', { method: 'POST', headers }, '{}');
  expect((await response).statusCode).toBe(200);
  await page.end();
  expect((await text(await response)).trim()).toBe(ENGINE_LOST);
});

test('a document that breaks off while its client does not read ends the response, but not the bridge', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  closers.push(() => process.off('unhandledRejection', note));
  const { promise: source, resolve } = withResolvers<ReadableStreamDefaultController<Uint8Array>>();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      // More bytes than fit into the buffers between the page and a client that does not read.
      for (const part of ['{"id":"chatcmpl-1","choices":[', '', ''])
        controller.enqueue(Buffer.from(part.padEnd(2 ** 22)));
      resolve(controller);
    },
  });
  const send = await bridge(async () => new Response(body, { headers: JSON_TYPE }));
  const response = await send('/v1/chat/completions', { method: 'POST' }, '{}').response;
  await new Promise((resolve) => setTimeout(resolve, 50));
  (await source).error(new Error('The tab has crashed.'));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(unhandled).toEqual([]);
  await expect(text(response)).rejects.toThrow('aborted');
});

test('a client that disconnects before the document cancels the request in the page', async () => {
  const { promise, resolve } = withResolvers();
  const fetch: PageFetch = async ({ signal }) => {
    signal!.addEventListener('abort', () => resolve('cancelled'));
    const body = new ReadableStream({
      start: (controller) => signal!.addEventListener('abort', () => controller.error(signal!.reason)),
    });
    return new Response(body, { headers: JSON_TYPE });
  };
  const { request, response } = (await bridge(fetch))('/v1/chat/completions', { method: 'POST' }, '{}');
  response.catch(() => {});
  setTimeout(() => request.destroy(), 30);
  expect(await promise).toBe('cancelled');
});

test('an event stream is passed on at once', async () => {
  const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from(': waiting\n\n')) });
  const fetch: PageFetch = async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  const { response } = (await bridge(fetch))('/v1/chat/completions', { method: 'POST' }, '{}');
  expect((await response).statusCode).toBe(200);
});

test('clients that leave out /v1, as llama-server allows, reach the endpoint', async () => {
  const { fetch, requests } = recorder(() => Response.json({ status: 'ok' }));
  const send = await bridge(fetch);
  const paths = ['/health', '/props?model=a', '/chat/completions', '/api/chat', '/v1models', '/v2/../index.html'];
  for (const path of [...paths, '/v1/health']) await send(path).response;
  expect(requests.map(({ path }) => path)).toEqual([...paths.map((path) => `/v1${path}`), '/v1/health']);
});
