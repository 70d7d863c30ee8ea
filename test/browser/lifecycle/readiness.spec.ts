import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test, type Page } from '@playwright/test';
import { buildLibraryFiles } from '../../../scripts/build/build-library-files.ts';
import { serveBuiltSite, type Site } from '../../../src/command-line/http-server/serve-built-site.ts';
import type { register, Tabserve } from '../../../src/page/index.ts';
import { contentSecurityPolicyDirectives } from '../../../src/shared/security/security-headers.ts';
import { serveForeignSite, type ForeignSite } from '../../support/sites/foreign-site.ts';

const EXAMPLE = fileURLToPath(new URL('../library/library-example', import.meta.url));
const PAGE = 'library/readiness.html';
const IN_FOLDER = '?serviceWorker=tabserve-service-worker.js';

declare const window: { readonly tabserve: Tabserve; readonly register: typeof register; report(): unknown };

let folder: string;
let site: Site;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tabserve-readiness-'));
  const library = join(folder, 'library');
  await buildLibraryFiles(library);
  cpSync(EXAMPLE, library, { recursive: true });
  writeFileSync(join(folder, 'index.html'), '<!doctype html><html lang="en"><title>Another page</title></html>');
  writeFileSync(join(library, 'never-installed.js'), `oninstall = (event) => event.waitUntil(new Promise(() => {}));`);
  writeFileSync(join(library, 'broken.js'), 'throw new Error("Broken.");');
  writeFileSync(
    join(library, 'wrong-options.js'),
    `self.tabserve = { models: [{ id: 'kiosk' }] };
    importScripts('tabserve-service-worker.js');`,
  );
  cpSync(library, join(folder, 'bare'), { recursive: true, filter: (path) => basename(path) !== 'models' });
  site = await serveBuiltSite({ folder });
});

test.afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Collects Tabserve's lines on the page's console, and uncaught errors. */
function watchConsole(page: Page): string[] {
  const lines: string[] = [];
  page.on('console', (message) => {
    if (message.text().startsWith('[tabserve]')) lines.push(message.text());
  });
  page.on('pageerror', (error) => lines.push(String(error)));
  return lines;
}

interface Fault {
  readonly fault: string;
  /** Path below the site's root. */
  readonly address: string;
  readonly arrange?: (page: Page) => Promise<unknown>;
  /** Parts of the message. A part that begins with a slash is an address of the site. */
  readonly says: readonly string[];
  readonly status?: object;
  readonly code?: string;
}

const faults: readonly Fault[] = [
  {
    fault: 'a missing worker script',
    address: `${PAGE}?serviceWorker=none.js`,
    says: ['/library/none.js', 'missing', '404', 'serviceWorker'],
  },
  {
    fault: 'an HTML page instead of the worker script',
    address: `${PAGE}?serviceWorker=index.html`,
    says: ['/library/index.html', 'missing', 'text/html'],
  },
  {
    fault: 'a worker script that throws',
    address: `${PAGE}?serviceWorker=broken.js`,
    says: ['/library/broken.js', 'evaluation'],
  },
  {
    fault: 'caches that no longer respond',
    address: `${PAGE}?serviceWorker=never-installed.js`,
    arrange: (page) => page.addInitScript(() => (CacheStorage.prototype.keys = () => new Promise(() => {}))),
    says: ['Cache Storage', 'start it again'],
  },
  {
    fault: 'a scope that the script must not control',
    address: `${PAGE}${IN_FOLDER}&scope=/`,
    says: ['/library/tabserve-service-worker.js', 'max scope'],
  },
  {
    fault: 'a page outside the scope of the worker',
    address: `${PAGE}?serviceWorker=workers/tabserve-service-worker.js`,
    says: ['/library/readiness.html', '/library/workers/', 'Service-Worker-Allowed'],
  },
  {
    fault: 'a missing engine worker script',
    address: `${PAGE}${IN_FOLDER}&engineWorker=none.js`,
    says: ['/library/none.js', 'missing', '404', 'engineWorker'],
  },
  {
    fault: 'an HTML page instead of the engine worker script',
    address: `${PAGE}${IN_FOLDER}&engineWorker=index.html`,
    says: ['/library/index.html', 'missing', 'text/html'],
  },
  {
    fault: 'a service worker script of another origin',
    address: `${PAGE}?serviceWorker=https://elsewhere.test/worker.js`,
    says: ['service worker', 'https://elsewhere.test/worker.js', 'origin'],
  },
  {
    fault: 'an engine worker script of another origin',
    address: `${PAGE}${IN_FOLDER}&engineWorker=https://elsewhere.test/engine.js`,
    says: ['engine worker', 'https://elsewhere.test/engine.js', 'origin'],
  },
  {
    fault: 'a service worker with invalid options',
    address: `${PAGE}?serviceWorker=wrong-options.js`,
    says: ['/library/wrong-options.js', '`models[0].contextWindow`'],
  },
  {
    fault: 'an endpoint at another base path than configured in the page',
    address: `${PAGE}${IN_FOLDER}&basePath=/api`,
    says: ['/library/tabserve-service-worker.js', 'below /v1', 'told /api'],
  },
  {
    fault: 'no WebGPU',
    address: `${PAGE}${IN_FOLDER}`,
    arrange: (page) => page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'gpu')),
    says: ['WebGPU'],
    status: { state: 'unsupported', reason: 'no-webgpu' },
    code: 'gpu_unavailable',
  },
  {
    fault: 'no service workers',
    address: PAGE,
    arrange: (page) => page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'serviceWorker')),
    says: ['service worker'],
    status: { state: 'unsupported', reason: 'no-service-worker' },
  },
];

for (const { fault, address, arrange, says, status, code = 'engine_unavailable' } of faults) {
  test(`${fault}: \`ready\` rejects, and status and console report the same reason once`, async ({ page }) => {
    const lines = watchConsole(page);
    await arrange?.(page);
    await page.goto(site.url + address);
    await expectFailure(page, lines, { says, status: status ?? { state: 'failed', model: null }, code });
  });
}

test('plain http: `ready` rejects, and status and console report the same reason once', async ({ page }) => {
  const lines = watchConsole(page);
  await page.route('http://insecure.test/**', async (route) => {
    const { pathname } = new URL(route.request().url());
    await route.fulfill({ response: await route.fetch({ url: new URL(pathname, site.url).href }) });
  });
  await page.goto(`http://insecure.test/${PAGE}`);
  expect(await page.evaluate(() => isSecureContext)).toBe(false);
  await expectFailure(page, lines, {
    says: [`http://insecure.test/${PAGE}`, 'https'],
    status: { state: 'unsupported', reason: 'insecure-context' },
    code: 'engine_unavailable',
  });
});

/** Waits until the status is `failed`. @returns its message. */
async function failureSentence(page: Page): Promise<string> {
  await page.waitForFunction(() => window.tabserve.status.state === 'failed', null, { timeout: 90_000 });
  return page.evaluate(() => window.tabserve.status.message);
}

test('if the folder of the models is missing, `ready` rejects', async ({ page }) => {
  const lines = watchConsole(page);
  await page.goto(`${site.url}bare/readiness.html${IN_FOLDER}`);
  const says = ['/bare/models/pocket/mlc-chat-config.json', '404', 'copy', 'builtInModels'].map((part) =>
    part.startsWith('/') ? new URL(part, site.url).href : part,
  );
  await expectFailure(page, lines, { says, status: { state: 'failed', model: null }, code: 'engine_unavailable' });
});

test('if one of two models is missing, the other one answers, and the status names the missing one', async ({
  page,
}) => {
  const options = { models: [{ id: 'kiosk', gguf: 'models/kiosk.gguf' }], builtInModels: ['pocket'] };
  const script = `self.tabserve = ${JSON.stringify(options)};\nimportScripts('tabserve-service-worker.js');`;
  writeFileSync(join(folder, 'library/kiosk.js'), script);
  await page.goto(`${site.url}${PAGE}?serviceWorker=kiosk.js`);
  expect(await page.evaluate(ask)).toBe(200);
  const status = await page.evaluate(() => window.tabserve.status);
  expect(status).toMatchObject({ warning: expect.stringContaining('/library/models/kiosk.gguf') });
});

test('a request below the folder of the page is told where the endpoint is', async ({ page }) => {
  await page.goto(`${site.url}${PAGE}${IN_FOLDER}`);
  const answers = await page.evaluate(async () => {
    await window.tabserve.ready;
    const authorization = 'Bearer local';
    const models = await fetch('v1/models', { headers: { authorization } });
    const asked = await fetch('v1/chat/completions', { method: 'POST', headers: { authorization }, body: '{}' });
    return [await models.json(), await asked.json()] as { error: { code: string; message: string } }[];
  });
  for (const { error } of answers) {
    expect(error).toMatchObject({ code: 'unknown_url', message: expect.stringContaining(`${site.url}v1`) });
  }
});

/** Returns the message with which `ready` rejects. */
async function rejection(page: Page): Promise<string> {
  const { outcome } = (await page.evaluate(() => window.report())) as { outcome: { message: string } };
  return outcome.message;
}

const NEEDED = contentSecurityPolicyDirectives({ modelHosts: [] });

/** Returns the Content-Security-Policy that a site with nothing but Tabserve needs. */
function policy(changes: Partial<Record<keyof typeof NEEDED, readonly string[]>> = {}): string {
  const directives = Object.entries({ 'default-src': ["'none'"], ...NEEDED, ...changes });
  return directives.map(([name, sources]) => [name, ...sources].join(' ')).join('; ');
}

interface PolicyFault {
  readonly fault: string;
  /** The file whose Content-Security-Policy lacks a source. */
  readonly file: string;
  readonly changes: Parameters<typeof policy>[0];
  /** Whether only a request finds the fault. Default: `ready` rejects. */
  readonly isLate?: true;
  /** Parts of the message, as in {@link Fault}. */
  readonly says: readonly string[];
}

const policyFaults: readonly PolicyFault[] = [
  {
    fault: 'workers',
    file: 'readiness.html',
    changes: { 'worker-src': ["'none'"] },
    says: ['worker-src', '/library/tabserve-service-worker.js'],
  },
  {
    fault: 'requests of the page',
    file: 'readiness.html',
    changes: { 'connect-src': ["'none'"] },
    says: ['connect-src', '/v1'],
  },
  {
    fault: 'WebAssembly',
    file: 'tabserve-engine-worker.js',
    changes: { 'script-src': ["'self'"] },
    says: ['script-src', "'wasm-unsafe-eval'"],
  },
  {
    fault: 'the files of models',
    file: 'tabserve-engine-worker.js',
    changes: { 'connect-src': ['data:'] },
    isLate: true,
    says: ['connect-src', '/library/models/pocket/mlc-chat-config.json'],
  },
];

for (const { fault, file, changes, isLate = false, says } of policyFaults) {
  test(`if the site's policy forbids ${fault}, ${isLate ? 'the status names' : '`ready` rejects and names'} the directive`, async ({
    page,
  }) => {
    const strict = await servePolicies((path) => policy(path.endsWith(file) ? changes : {}));
    try {
      await page.goto(`${strict.origin}/${PAGE}${IN_FOLDER}${isLate ? '&preload=pocket' : ''}`);
      const message = isLate ? await failureSentence(page) : await rejection(page);
      for (const part of ['Content-Security-Policy', ...says])
        expect(message).toContain(part.startsWith('/') ? strict.origin + part : part);
    } finally {
      strict.close();
    }
  });
}

test('a site with exactly the documented Content-Security-Policy answers', async ({ page }) => {
  const strict = await servePolicies(() => policy());
  try {
    await page.goto(`${strict.origin}/${PAGE}${IN_FOLDER}`);
    expect(await page.evaluate(ask)).toBe(200);
  } finally {
    strict.close();
  }
});

function servePolicies(policyOf: (path: string) => string): Promise<ForeignSite> {
  return serveForeignSite('localhost', folder, (path) => ({ 'content-security-policy': policyOf(path) }));
}

/** Runs in the page. Requests an answer once `ready` resolves. @returns its status. */
async function ask(): Promise<number> {
  await window.tabserve.ready;
  const response = await fetch('/v1/chat/completions', {
    method: 'POST',
    headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'pocket', max_tokens: 4, messages: [{ role: 'user', content: 'Hello' }] }),
  });
  return response.status;
}

async function expectFailure(
  page: Page,
  lines: readonly string[],
  { says, status, code }: { says: readonly string[]; status: object; code: string },
): Promise<void> {
  const report = (await page.evaluate(() => window.report())) as { outcome: { message: string } };
  const { message } = report.outcome;
  expect(report).toMatchObject({ outcome: { name: 'ApiError', code }, status: { ...status, message } });
  for (const part of says) expect(message).toContain(part.startsWith('/') ? new URL(part, site.url).href : part);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(`[tabserve] ${message}`);
}

test('a page has one registration: a second call returns the first, dispose() releases it, and the next call works', async ({
  page,
}) => {
  const lines = watchConsole(page);
  await page.goto(`${site.url}${PAGE}${IN_FOLDER}`);
  const first = await page.evaluate(async () => {
    const { register, tabserve } = window;
    await tabserve.ready;
    const options = { serviceWorker: './tabserve-service-worker.js' };
    const isSame = register(options) === tabserve && register({ ...options, preload: 'pocket' }) === tabserve;
    tabserve.dispose();
    return { isSame, ready: await tabserve.ready.catch(({ code }: { code: string }) => code) };
  });
  expect(first).toEqual({ isSame: true, ready: 'engine_unavailable' });
  // The page's liveness lock is released soon after `dispose()`.
  await page.waitForFunction(async () => {
    const { held = [] } = await navigator.locks.query();
    return !held.some(({ name }) => name?.startsWith('tabserve-page-'));
  });
  const next = await page.evaluate(async () => {
    const tabserve = window.register({ serviceWorker: './tabserve-service-worker.js', preload: 'pocket' });
    await tabserve.ready;
    const response = await fetch('/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'pocket', max_tokens: 4, messages: [{ role: 'user', content: 'Hello' }] }),
    });
    return { isNew: tabserve !== window.tabserve, status: response.status };
  });
  expect(next).toEqual({ isNew: true, status: 200 });
  expect(lines).toEqual([expect.stringContaining('(preload)')]);
});

test('a server-side renderer can import the library and call register(), whose `ready` rejects', () => {
  const script = join(folder, 'server.mjs');
  const library = join(folder, 'tabserve.mjs');
  cpSync(join(folder, 'library/tabserve.js'), library);
  writeFileSync(
    script,
    `import { register } from ${JSON.stringify(pathToFileURL(library).href)};
    const { status, ready } = register();
    const { name, code } = await ready.catch((error) => error);
    console.log(JSON.stringify({ reason: status.reason, name, code }));`,
  );
  const output = execFileSync(process.execPath, [script], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  expect(JSON.parse(output)).toEqual({ reason: 'no-window', name: 'ApiError', code: 'engine_unavailable' });
});
