import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PACKAGED_MODELS } from '../../../src/command-line/local-models.ts';
import { serveBuiltSite, type Site } from '../../../src/command-line/http-server/serve-built-site.ts';

let folder: string;
let site: Site;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tabserve-served-'));
  mkdirSync(join(folder, 'assets'));
  mkdirSync(join(folder, 'models'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Site</title>');
  writeFileSync(join(folder, 'assets/a-BxYz12.js'), 'export {};');
  writeFileSync(join(folder, 'models/a.wasm'), 'wasm');
  writeFileSync(join(folder, 'site.webmanifest'), '{}');
  site = await serveBuiltSite({ folder, modelHosts: ['https://models.example'] });
});

afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true });
});

const get = (path: string, init?: RequestInit) => fetch(new URL(path, site.url), init);

test.for([
  ['/', 200, /^text\/html/, 'no-cache'],
  ['/assets/a-BxYz12.js', 200, /^text\/javascript/, 'public, max-age=31536000, immutable'],
  ['/models/a.wasm', 200, /^application\/wasm/, 'no-cache'],
  ['/site.webmanifest', 200, /^application\/manifest\+json/, 'no-cache'],
  ['/assets/older-build.js', 404, null, null],
  ['/no-such-page', 404, null, null],
] as const)('%s is answered %d with its type and how long it may be kept', async ([path, status, type, cache]) => {
  const response = await get(path);
  expect(response.status).toBe(status);
  expect(response.headers.get('cache-control')).toBe(cache);
  expect(response.headers.get('content-type') ?? '').toMatch(type ?? /^$/);
});

test.for(['/', '/assets/a-BxYz12.js', '/models/a.wasm', '/v1/models', '/nothing'])(
  '%s has the security headers, with the given model hosts',
  async (path) => {
    const { headers } = await get(path);
    expect(headers.get('content-security-policy')).toMatch(/connect-src 'self' .*https:\/\/models\.example/);
    expect(headers.get('connection-allowlist')).toContain('"https://models.example/*"');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  },
);

test("the service worker's script begins with the options of the site's models, and nothing else that is known of them", async () => {
  writeFileSync(join(folder, 'site-service-worker.js'), 'the rest');
  const [model] = PACKAGED_MODELS;
  const withModel = await serveBuiltSite({ folder, gguf: [model!] });
  const script = await (await fetch(`${withModel.url}site-service-worker.js`)).text();
  await withModel.close();
  const [, options = ''] = /^self\.tabserve = (.*);\nthe rest$/.exec(script) ?? [];
  const { id, contextWindow, file } = model!;
  expect(JSON.parse(options)).toEqual({
    upstreams: [],
    models: [{ id, contextWindow, parallel: 1, gguf: `models/gguf/${file}` }],
  });
});

test('a site on which no model may run on the CPU says so to its service worker, also without models of its own', async () => {
  writeFileSync(join(folder, 'site-service-worker.js'), 'the rest');
  const site = await serveBuiltSite({ folder, onProcessor: false });
  const script = await (await fetch(`${site.url}site-service-worker.js`)).text();
  await site.close();
  const [, options = ''] = /^self\.tabserve = (.*);\nthe rest$/.exec(script) ?? [];
  expect(JSON.parse(options || '{}')).toMatchObject({ gguf: false });
});

test('a strict site names no other origin in any header, and tells its service worker', async () => {
  writeFileSync(join(folder, 'site-service-worker.js'), 'the rest');
  const strict = await serveBuiltSite({ folder, modelHosts: false });
  for (const path of ['', 'assets/a-BxYz12.js', 'site-service-worker.js', 'v1/models', 'nothing']) {
    const { headers } = await fetch(strict.url + path);
    expect([...headers.values()].filter((value) => value.includes('://'))).toEqual([]);
    expect(headers.get('content-security-policy')).toContain("connect-src 'self' data:;");
  }
  const script = await (await fetch(`${strict.url}site-service-worker.js`)).text();
  await strict.close();
  const [, options = '{}'] = /^self\.tabserve = (.*);\nthe rest$/.exec(script) ?? [];
  expect(JSON.parse(options)).toMatchObject({ modelHosts: false });
});

test("another list of model hosts is another service worker's script, whose options stay the site's own", async () => {
  writeFileSync(join(folder, 'site-service-worker.js'), 'the rest');
  const script = await (await get('/site-service-worker.js')).text();
  expect(script).toBe('self.tabserveHosts = "https://models.example";\nthe rest');
});

test('files in `assets` whose names stay the same in a new build are not kept', async () => {
  const other = mkdtempSync(join(tmpdir(), 'tabserve-unhashed-'));
  mkdirSync(join(other, 'assets/i18n'), { recursive: true });
  for (const name of ['index.html', 'assets/a-BxYz12.js', 'assets/i18n/en.json'])
    writeFileSync(join(other, name), '{}');
  const unhashed = await serveBuiltSite({ folder: other });
  const { headers } = await fetch(`${unhashed.url}assets/i18n/en.json`);
  await unhashed.close();
  rmSync(other, { recursive: true });
  expect(headers.get('cache-control')).toBe('no-cache');
});

test('a page is found beside a folder of its name, and a folder with a page of its own, too', async () => {
  for (const name of ['docs', 'guide']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'docs.html'), 'docs');
  writeFileSync(join(folder, 'docs/intro.html'), 'intro');
  writeFileSync(join(folder, 'guide/index.html'), 'guide');
  const pages = ['/docs', '/docs/intro', '/guide', '/guide/', '/models'];
  const found = await Promise.all(pages.map(async (path) => (await get(path)).text()));
  expect(found).toEqual(['docs', 'intro', 'guide', 'guide', '']);
});

test('an unchanged file is not sent again', async () => {
  const etag = (await get('/')).headers.get('etag')!;
  // Node's fetch would add `no-cache` to a conditional request, which asks for the whole file.
  const headers = { 'if-none-match': etag, 'cache-control': 'max-age=0' };
  expect((await get('/', { headers })).status).toBe(304);
});

test('an API request that bypasses the service worker gets an error in the form of the API', async () => {
  const response = await get('/v1/chat/completions', { method: 'POST', body: '{}' });
  expect(response.status).toBe(404);
  expect(await response.json()).toEqual({
    error: {
      message: expect.stringContaining('npm run bridge'),
      type: 'invalid_request_error',
      param: null,
      code: 'unknown_url',
    },
  });
});

test('a port in use is named, with a remedy', async () => {
  const port = Number(new URL(site.url).port);
  await expect(serveBuiltSite({ folder, port })).rejects.toThrow(
    `Port ${port} is taken: stop what uses it, or choose another with --port.`,
  );
});

test('a site that has not been built is named, with a remedy', async () => {
  await expect(serveBuiltSite({ folder: join(folder, 'assets') })).rejects.toThrow(
    /There is no built site .*npm run build/,
  );
});
