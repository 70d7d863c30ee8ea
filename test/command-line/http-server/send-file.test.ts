import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { request as send, type IncomingMessage, type RequestOptions } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveBuiltSite, type Site } from '../../../src/command-line/http-server/serve-built-site.ts';

const CONTENT = '0123456789';
const HASHED = 'public, max-age=31536000, immutable';

let parent: string;
let site: Site;

beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), 'tabserve-files-'));
  const folder = join(parent, 'site');
  for (const name of ['assets', '.git', '.well-known/.keys']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(parent, 'secret.txt'), 'secret');
  writeFileSync(join(folder, 'index.html'), 'page');
  for (const name of ['guide', 'führer%20']) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'index.html'), 'guide');
  }
  writeFileSync(join(folder, 'ten.bin'), CONTENT);
  writeFileSync(join(folder, 'about.html'), 'about');
  writeFileSync(join(folder, 'assets/a-BxYz12.js'), 'script');
  writeFileSync(join(folder, '.env'), 'secret');
  writeFileSync(join(folder, '.git/config'), 'secret');
  writeFileSync(join(folder, '.well-known/security.txt'), 'contact');
  writeFileSync(join(folder, '.well-known/.keys/key'), 'secret');
  symlinkSync(join(parent, 'secret.txt'), join(folder, 'link.txt'));
  symlinkSync(parent, join(folder, 'assets/up'));
  symlinkSync(join(folder, 'ten.bin'), join(folder, 'inside.bin'));
  site = await serveBuiltSite({ folder });
});

afterAll(async () => {
  await site.close();
  rmSync(parent, { recursive: true });
});

/** Sends a path and headers as they stand here, which `fetch` would normalise. */
async function ask(path: string, options: RequestOptions = {}) {
  const { hostname, port } = new URL(site.url);
  const sent = send({ hostname, port, path, ...options });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode!, headers: response.headers, body: await text(response) };
}

const askRange = (range: string) => ask('/ten.bin', { headers: { range } });

test.for([
  ['bytes=0-0', 206, '0', 'bytes 0-0/10'],
  ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
  ['bytes=7-', 206, '789', 'bytes 7-9/10'],
  ['bytes=-5', 206, '56789', 'bytes 5-9/10'],
  ['bytes=-50', 200, CONTENT, undefined],
  ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
  ['bytes=0-9007199254740993', 206, CONTENT, 'bytes 0-9/10'],
  ['bytes=10-', 416, '', 'bytes */10'],
  ['bytes=5-2', 416, '', 'bytes */10'],
  ['bytes=-0', 416, '', 'bytes */10'],
  // A server may ignore what it cannot read, other units, and several ranges (RFC 9110, section 14.2).
  ['bytes=a-b', 200, CONTENT, undefined],
  ['lines=1-2', 200, CONTENT, undefined],
  ['bytes=0-1,4-5', 200, CONTENT, undefined],
] as const)('the range %s is answered %d with %s', async ([range, status, body, contentRange]) => {
  const response = await askRange(range);
  expect({ status: response.status, body: response.body }).toEqual({ status, body });
  expect(response.headers['content-range']).toBe(contentRange);
});

test('the last bytes of a page that a folder stands for are those of the page', async () => {
  const { status, body } = await ask('/', { headers: { range: 'bytes=-5000' } });
  expect({ status, body }).toEqual({ status: 200, body: 'page' });
});

test('no range ends the server', async () => {
  const number = fc.oneof(fc.nat(12), fc.maxSafeNat(), fc.bigInt(0n, 2n ** 70n), fc.constant(''));
  const spec = fc.tuple(number, number).map(([from, to]) => `${from}-${to}`);
  const ranges = fc.oneof(
    fc.array(spec, { minLength: 1, maxLength: 3 }).map((specs) => `bytes=${specs.join(',')}`),
    fc.stringMatching(/^[ -~]{0,30}$/).map((value) => `bytes=${value}`),
    fc.stringMatching(/^[ -~]{0,30}$/),
  );
  await fc.assert(
    fc.asyncProperty(ranges, async (range) => {
      const { status, body, headers } = await askRange(range);
      expect([200, 206, 416]).toContain(status);
      const [, from, to] = /^bytes (\d+)-(\d+)\/10$/.exec(headers['content-range'] ?? '') ?? [];
      expect(body).toBe(status === 206 ? CONTENT.slice(Number(from), Number(to) + 1) : status === 200 ? CONTENT : '');
    }),
    { numRuns: 1000 },
  );
  expect((await ask('/')).body).toBe('page');
});

test.for([
  '/.env',
  '/.git/config',
  '/%2eenv',
  '/.well-known/.keys/key',
  '/link.txt',
  '/assets/up/secret.txt',
  '/../secret.txt',
  '/assets/../../secret.txt',
  '/assets/%2e%2e/%2e%2e/secret.txt',
  '/assets/..%2f..%2fsecret.txt',
  '/assets/..%5c..%5csecret.txt',
  '/assets/%00',
  '/assets/%',
])('%s is answered like a file that does not exist', async (path) => {
  const missing = await ask('/assets/missing.js');
  const { status, body, headers } = await ask(path);
  expect({ status, body }).toEqual({ status: 404, body: '' });
  expect(headers['cache-control']).toBe(missing.headers['cache-control']);
});

test.for([
  ['/.well-known/security.txt', 'contact', 'no-cache'],
  ['/inside.bin', CONTENT, 'no-cache'],
  ['/about', 'about', 'no-cache'],
  ['/assets/a-BxYz12.js?version=1', 'script', HASHED],
] as const)('%s is sent', async ([path, body, cache]) => {
  const response = await ask(path);
  expect({ status: response.status, body: response.body }).toEqual({ status: 200, body });
  expect(response.headers['cache-control']).toBe(cache);
});

test.for([
  ['/guide', '/guide/'],
  ['/guide?code=1&state=a%20b', '/guide/?code=1&state=a%20b'],
  ['//guide?', '/guide/'],
  ['/f%C3%BChrer%2520?x', '/f%C3%BChrer%2520/?x'],
] as const)('%s is sent on to its folder, with its query', async ([path, location]) => {
  const { status, headers } = await ask(path);
  expect([status, headers.location]).toEqual([301, location]);
});

test('only GET and HEAD are answered', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
    const { status, headers } = await ask('/ten.bin', { method });
    expect({ method, status, allow: headers.allow }).toEqual({ method, status: 405, allow: 'GET, HEAD' });
  }
  const { status, body, headers } = await ask('/ten.bin', { method: 'HEAD' });
  expect({ status, body, length: headers['content-length'] }).toEqual({ status: 200, body: '', length: '10' });
});

test('a file of the same size and time is sent again after it was replaced, and not again until then', async () => {
  const file = join(parent, 'site/replaced.html');
  const write = (content: string) => {
    writeFileSync(file, content);
    utimesSync(file, 1, 1);
  };
  write('one');
  const { headers } = await ask('/replaced.html');
  const known = {
    headers: { 'if-none-match': headers.etag!, 'if-modified-since': headers['last-modified']! },
  };
  expect((await ask('/replaced.html', known)).status).toBe(304);
  // The file system counts the time of a change in milliseconds.
  await new Promise((resolve) => setTimeout(resolve, 20));
  write('two');
  expect(await ask('/replaced.html', known)).toMatchObject({ status: 200, body: 'two' });
});
