import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test, type Page } from '@playwright/test';
import { buildLibraryFiles } from '../../src/command-line/build-library-files.ts';
import { serveSite, type Site } from '../../src/command-line/serve-site.ts';
import type { register, Tabserve } from '../../src/page/index.ts';

const EXAMPLE = fileURLToPath(new URL('library-example', import.meta.url));
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
  writeFileSync(join(library, 'broken.js'), 'throw new Error("Broken.");');
  site = await serveSite({ folder });
});

test.afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Lines of the page's console that are Tabserve's, and errors that nobody caught. */
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
  /** Below the site's root. */
  readonly address: string;
  readonly arrange?: (page: Page) => Promise<unknown>;
  /** Parts of the sentence; those that begin with a slash stand for addresses of the site. */
  readonly says: readonly string[];
  readonly status?: object;
  readonly code?: string;
}

const faults: readonly Fault[] = [
  {
    fault: 'a missing worker script',
    address: `${PAGE}?serviceWorker=none.js`,
    says: ['/library/none.js', 'missing', '404'],
  },
  {
    fault: 'a page in the place of the worker script',
    address: `${PAGE}?serviceWorker=index.html`,
    says: ['/library/index.html', 'missing', 'text/html'],
  },
  {
    fault: 'a worker script that throws',
    address: `${PAGE}?serviceWorker=broken.js`,
    says: ['/library/broken.js', 'evaluation'],
  },
  {
    fault: 'a scope that the script may not have',
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
    says: ['engine'],
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
  test(`${fault}: \`ready\` rejects, and status and console say the same once`, async ({ page }) => {
    const lines = watchConsole(page);
    await arrange?.(page);
    await page.goto(site.url + address);
    await expectFailure(page, lines, { says, status: status ?? { state: 'failed', model: null }, code });
  });
}

test('plain http: `ready` rejects, and status and console say the same once', async ({ page }) => {
  const lines = watchConsole(page);
  await page.route('http://insecure.test/**', async (route) => {
    const { pathname } = new URL(route.request().url());
    await route.fulfill({ response: await route.fetch({ url: new URL(pathname, site.url).href }) });
  });
  await page.goto(`http://insecure.test/${PAGE}`);
  expect(await page.evaluate(() => isSecureContext)).toBe(false);
  await expectFailure(page, lines, {
    says: ['https'],
    status: { state: 'unsupported', reason: 'insecure-context' },
    code: 'engine_unavailable',
  });
});

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

test('one registration a page: a second call gives the first, dispose() lets go of it, and the next one answers', async ({
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
  // The sign of life for the engine is taken back, sooner or later.
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

test('a server that renders pages may import the library and register: `ready` rejects there', () => {
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
