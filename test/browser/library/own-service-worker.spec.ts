import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, type Page } from '@playwright/test';
import { buildLibraryFiles } from '../../../scripts/build/build-library-files.ts';
import type { Tabserve } from '../../../src/page/index.ts';
import { serveForeignSite, type ForeignSite } from '../../support/sites/foreign-site.ts';

const EXAMPLE = fileURLToPath(new URL('library-example', import.meta.url));
const ADVICE = [
  '/sw.js',
  'a scope has only one',
  "importScripts('tabserve-service-worker.js')",
  "serviceWorker: '/sw.js'",
];

declare const window: { readonly tabserve: Tabserve; report(): Promise<{ outcome: unknown }> };

let folder: string;
let site: ForeignSite;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tabserve-own-'));
  await buildLibraryFiles(folder);
  cpSync(EXAMPLE, folder, { recursive: true });
  site = await serveForeignSite('localhost', folder);
});

test.beforeEach(() => writeOwnWorker(''));

test.afterAll(() => {
  site.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Writes a service worker of the site, which answers one address itself. */
function writeOwnWorker(more: string): void {
  const code = `
    ${more}
    addEventListener('fetch', (event) => {
      if (event.request.url.endsWith('/of-the-site')) event.respondWith(new Response('own'));
    });
    addEventListener('activate', (event) => event.waitUntil(clients.claim()));`;
  writeFileSync(join(folder, 'sw.js'), code);
}

/** Opens a page that registers the site's own service worker, and waits until that answers. */
async function openWithOwnWorker(page: Page): Promise<void> {
  writeFileSync(join(folder, 'empty.html'), '<!doctype html><title>Empty</title>');
  await page.goto(`${site.origin}/empty.html`);
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/sw.js');
    await navigator.serviceWorker.ready;
  });
}

const open = (page: Page, options = '') => page.goto(`${site.origin}/readiness.html${options}`);

/** Returns the message with which `ready` rejects. */
async function failure(page: Page): Promise<string> {
  const { outcome } = await page.evaluate(() => window.report());
  return (outcome as { message: string }).message;
}

const answersItself = (page: Page) => page.evaluate(async () => (await fetch('/of-the-site')).text());

const scripts = (page: Page) =>
  page.evaluate(async () => {
    const { active, waiting, installing } = (await navigator.serviceWorker.getRegistration())!;
    return [active, waiting, installing].map((worker) => worker && new URL(worker.scriptURL).pathname);
  });

for (const [what, more] of [
  ['alone', ''],
  ['that imports scripts', "importScripts('/other.js');"],
  ['with a message handler', "addEventListener('message', ({ ports: [port] }) => port?.close());"],
] as const) {
  test(`a service worker of the site ${what} stays, and \`ready\` says how to mount the endpoint in it`, async ({
    page,
    context,
  }) => {
    writeFileSync(join(folder, 'other.js'), '');
    writeOwnWorker(more);
    await openWithOwnWorker(page);
    await open(page);
    const message = await failure(page);
    for (const part of ADVICE) expect(message).toContain(part);
    expect(await scripts(page)).toEqual(['/sw.js', null, null]);
    // A waiting worker would take over once all tabs are closed.
    await page.close();
    const later = await context.newPage();
    await later.goto(`${site.origin}/empty.html`);
    expect(await answersItself(later)).toBe('own');
  });
}

test('a service worker of the site that imports the ready-made one answers for both', async ({ page }) => {
  writeOwnWorker("importScripts('tabserve-service-worker.js');");
  await openWithOwnWorker(page);
  await open(page, '?serviceWorker=sw.js');
  await page.evaluate(() => window.tabserve.ready);
  expect(await answersItself(page)).toBe('own');
  expect(await page.evaluate(async () => (await fetch('/v1/health')).status)).toBe(200);
});

test('a service worker that the site registers after Tabserve is reported in the status', async ({ page }) => {
  await open(page);
  await page.evaluate(() => window.tabserve.ready);
  await page.evaluate(() => void navigator.serviceWorker.register('/sw.js'));
  const warning = () =>
    page.evaluate(() => ('warning' in window.tabserve.status ? window.tabserve.status.warning : undefined));
  await expect.poll(warning).toContain(ADVICE[1]);
});

test('a service worker whose script the site has deleted is replaced', async ({ page }) => {
  await openWithOwnWorker(page);
  rmSync(join(folder, 'sw.js'));
  await open(page);
  await page.evaluate(() => window.tabserve.ready);
  expect(await scripts(page)).toEqual(['/tabserve-service-worker.js', null, null]);
});

/** Writes the example and the library into a folder of the site, and opens its page there. */
async function openInFolder(page: Page, options = ''): Promise<void> {
  const inner = join(folder, 'app');
  await buildLibraryFiles(inner);
  cpSync(EXAMPLE, inner, { recursive: true });
  await page.goto(`${site.origin}/app/readiness.html${options}`);
}

const IN_FOLDER = '?serviceWorker=./tabserve-service-worker.js';

test('a service worker of the site with a wider scope stays, and the status warns that it lost the pages of the folder', async ({
  page,
}) => {
  await openWithOwnWorker(page);
  await openInFolder(page, IN_FOLDER);
  await page.evaluate(() => window.tabserve.ready);
  const warning = await page.evaluate(() => (window.tabserve.status as { warning?: string }).warning);
  for (const part of [...ADVICE.filter((part) => part !== ADVICE[1]), `${site.origin}/app/`, 'the wider scope'])
    expect(warning).toContain(part);
  expect(await page.evaluate(async () => (await fetch('/v1/health')).status)).toBe(200);
  await page.goto(`${site.origin}/empty.html`);
  expect(await answersItself(page)).toBe('own');
});

test('a service worker of a wider scope that mounts the endpoint is no reason for a warning', async ({ page }) => {
  writeOwnWorker("importScripts('tabserve-service-worker.js');");
  await openWithOwnWorker(page);
  await openInFolder(page, IN_FOLDER);
  await page.evaluate(() => window.tabserve.ready);
  expect(await page.evaluate(() => (window.tabserve.status as { warning?: string }).warning)).toBeUndefined();
});

test('a page in the narrower scope of another service worker says which one gets its requests', async ({ page }) => {
  await openInFolder(page, '?');
  await page.evaluate(() => window.report());
  writeFileSync(
    join(folder, 'app', 'sw.js'),
    "addEventListener('activate', (event) => event.waitUntil(clients.claim()));",
  );
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/app/sw.js');
    await navigator.serviceWorker.ready;
  });
  await page.goto(`${site.origin}/app/readiness.html`);
  const message = await failure(page);
  expect(message).toContain(`go to another service worker, ${site.origin}/app/sw.js, whose scope is narrower`);
});
