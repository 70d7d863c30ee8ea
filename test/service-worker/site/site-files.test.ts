import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SiteFiles } from '../../../src/service-worker/site/site-files.ts';
import { memoryCaches } from '../../support/fakes/memory-caches.ts';

const SCOPE = 'https://site.test/app/';

/** The fetched files with the `cache` option of each request. */
let fetched: string[];
/** The files of the server, by name. */
let served: Record<string, string>;

beforeEach(() => {
  fetched = [];
  vi.stubGlobal('caches', memoryCaches());
  vi.stubGlobal('fetch', async (request: string | Request, { cache }: RequestInit = {}) => {
    const name = new Request(request).url.slice(SCOPE.length);
    fetched.push(`${name} ${cache}`);
    return new Response(served[name] ?? 'Not found', { status: name in served ? 200 : 404 });
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function build(page: string, ...scripts: readonly string[]): SiteFiles {
  served = { 'index.html': page, ...Object.fromEntries(scripts.map((name) => [name, name])) };
  const versioned = scripts.map((url) => ({ url, revision: null }));
  return new SiteFiles([{ url: 'index.html', revision: page }, ...versioned], SCOPE);
}

/** The service worker's response to a request for a file while every cache operation behaves like this. */
async function answerWhile(open: () => Promise<Cache>): Promise<string> {
  const files = build('page', 'a.1.js');
  vi.stubGlobal('caches', { open });
  const answer = files.answer(files.find(`${SCOPE}a.1.js`)!, new Request(`${SCOPE}a.1.js`));
  const text = answer.then(
    (response) => response.text(),
    (thrown: unknown) => String(thrown),
  );
  await vi.advanceTimersByTimeAsync(6000);
  return text;
}

async function read(files: SiteFiles, name: string): Promise<string | undefined> {
  const file = files.find(SCOPE + name);
  return file && (await files.read(file))?.text();
}

test('a newer build fetches new files, and deletes those of the older one only when it is active', async () => {
  const older = build('first page', 'a.1.js', 'b.1.js');
  await older.install();
  expect(fetched.splice(0)).toEqual(['index.html reload', 'a.1.js default', 'b.1.js default']);

  const newer = build('second page', 'a.1.js', 'b.2.js');
  await newer.install();
  expect(fetched).toEqual(['index.html reload', 'b.2.js default']);
  expect(await read(older, '')).toBe('first page');
  expect(await read(newer, '')).toBe('second page');

  await newer.activate();
  expect(await older.inspect()).toEqual({ files: 3, missing: ['index.html', 'b.1.js'] });
  expect(await newer.inspect()).toEqual({ files: 3, missing: [] });
});

test('the files of a build are fetched a few at a time, so that those of page and engine are not delayed', async () => {
  const files = build('page', ...Array.from({ length: 9 }, (_, index) => `${index}.js`));
  let open = 0;
  let most = 0;
  vi.stubGlobal('fetch', async () => {
    most = Math.max(most, (open += 1));
    await new Promise((resolve) => setTimeout(resolve));
    open -= 1;
    return new Response('');
  });
  await files.install();
  expect(most).toBe(4);
  expect(await files.inspect()).toEqual({ files: 10, missing: [] });
});

test('a build with an unavailable file is not installed', async () => {
  const files = build('page', 'a.1.js');
  delete served['a.1.js'];
  await expect(files.install()).rejects.toThrow(`${SCOPE}a.1.js is answered with 404.`);
});

test('a first build on a full device is installed with nothing cached, and its files come from the network', async () => {
  vi.stubGlobal('caches', memoryCaches({ quota: 12 }));
  const files = build('page', 'a.1.js', 'b.1.js');
  await files.install();
  expect(await files.inspect()).toEqual({ files: 3, missing: ['index.html', 'a.1.js', 'b.1.js'] });
  expect(await (await files.answer(files.find(SCOPE)!, new Request(SCOPE + 'index.html'))).text()).toBe('page');
  await files.activate();
});

test('a device without room for a newer build keeps the older one whole', async () => {
  vi.stubGlobal('caches', memoryCaches({ quota: 12 }));
  const older = build('page', 'a.1.js');
  await older.install();
  await expect(build('other', 'b.1.js').install()).rejects.toThrow('Quota exceeded');
  expect(await older.inspect()).toEqual({ files: 2, missing: [] });
});

test.each([
  ['', 'page'],
  ['#hash', 'page'],
  ['index.html', 'page'],
  ['a.1.js', 'a.1.js'],
  ['?query', undefined],
  ['other', undefined],
  ['folder/', undefined],
])('the address %j refers to %j', async (address, contents) => {
  const files = build('page', 'a.1.js');
  await files.install();
  expect(await read(files, address)).toBe(contents);
});

const never = new Promise<never>(() => {});

test.each<[what: string, open: () => Promise<Cache>]>([
  ['does not open', () => never],
  ['does not list its entries', async () => ({ ...(await memoryCaches().open('')), match: () => never })],
  ['fails', () => Promise.reject(new Error('Internal error.'))],
])('if the cache %s, a file comes from the server', async (_, open) => {
  vi.useFakeTimers();
  expect(await answerWhile(open)).toBe('a.1.js');
});

test('without a network a slow cache is awaited', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  const answered = answerWhile(async () => {
    await new Promise((resolve) => setTimeout(resolve, 5900));
    return { ...(await memoryCaches().open('')), match: async () => new Response('kept') };
  });
  expect(await answered).toBe('kept');
});

test('the installation fails if the cache does not respond', async () => {
  vi.useFakeTimers();
  const files = build('page', 'a.1.js');
  vi.stubGlobal('caches', { open: async () => ({ ...(await memoryCaches().open('')), match: () => never }) });
  const installed = files.install().catch(String);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await installed).toContain('does not answer');
});

/** The headers of the page as a build of the site serves it from its cache, after it was installed. */
async function headersOfPage(hosts: string, sent: Readonly<Record<string, string>>, given = {}) {
  vi.stubGlobal('fetch', async (address: string, { cache }: RequestInit = {}) => {
    fetched.push(`${address.slice(SCOPE.length)} ${cache}`);
    return new Response('page', { headers: { 'content-type': 'text/html', ...sent } });
  });
  const files = new SiteFiles([{ url: 'index.html', revision: '1' }, 'a.1.js'], SCOPE, { hosts, headers: given });
  await files.install();
  await files.activate();
  const response = await files.answer(files.find(SCOPE)!, new Request(SCOPE));
  expect(await response.text()).toBe('page');
  return Object.fromEntries(response.headers);
}

test.each<[from: string, to: string]>([
  ['', 'none'],
  ['none', ''],
  ['', 'https://models.example'],
  ['https://models.example', 'https://models.example https://other.example'],
  ['https://models.example', 'none'],
])('if the model hosts change from %j to %j, all files are fetched again, with their headers', async (from, to) => {
  await headersOfPage(from, { 'content-security-policy': 'the first' });
  expect(fetched.splice(0)).toEqual(['index.html reload', 'a.1.js default']);
  await headersOfPage(from, { 'content-security-policy': 'not asked for' });
  expect(fetched).toEqual([]);
  const headers = await headersOfPage(to, { 'content-security-policy': 'the second' });
  // The HTTP cache has the script with its earlier headers.
  expect(fetched).toEqual(['index.html reload', 'a.1.js reload']);
  expect(headers['content-security-policy']).toBe('the second');
});

const ISOLATED = { 'cross-origin-embedder-policy': 'require-corp', 'cross-origin-opener-policy': 'same-origin' };

test('given headers are added where the server sends no policy, and say that the service worker added them', async () => {
  const given = { 'content-security-policy': "connect-src 'self'", 'referrer-policy': 'no-referrer' };
  expect(await headersOfPage('none', { 'referrer-policy': 'origin' }, given)).toEqual({
    'content-security-policy': "connect-src 'self'",
    'content-type': 'text/html',
    'referrer-policy': 'origin',
    'x-tabserve-policy': 'service-worker',
    ...ISOLATED,
  });
});

test.each([
  [{ 'cross-origin-opener-policy': 'same-origin-allow-popups' }, ISOLATED],
  [
    { 'cross-origin-embedder-policy': 'credentialless', 'cross-origin-opener-policy': 'same-origin' },
    { 'cross-origin-embedder-policy': 'credentialless', 'cross-origin-opener-policy': 'same-origin' },
  ],
])('a page that its server sends with %j is isolated from other origins', async (sent, isolated) => {
  expect(await headersOfPage('', sent)).toEqual({ 'content-type': 'text/html', ...isolated });
});

test("a server's own policy stays as it is, whatever headers are given", async () => {
  const sent = { 'content-security-policy': 'frame-ancestors https://portal.example', ...ISOLATED };
  const given = { 'content-security-policy': "frame-ancestors 'none'", 'connection-allowlist': '(response-origin)' };
  expect(await headersOfPage('none', sent, given)).toEqual({ ...sent, 'content-type': 'text/html' });
});
