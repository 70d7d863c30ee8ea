import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, type Page } from '@playwright/test';
import { buildLibraryFiles } from '../../../scripts/build/build-library-files.ts';
import type { Tabserve } from '../../../src/page/index.ts';
import { ANSWER_LOCK } from '../../../src/shared/locks/site-locks.ts';
import { serveForeignSite, type ForeignSite } from '../../support/sites/foreign-site.ts';

const EXAMPLE = fileURLToPath(new URL('library-example', import.meta.url));
const READY_MADE = 'tabserve-service-worker.js';

declare const window: { readonly tabserve: Tabserve };

let folder: string;
let site: ForeignSite;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tabserve-changed-'));
  await buildLibraryFiles(folder);
  cpSync(EXAMPLE, folder, { recursive: true });
  // No test loads this model.
  writeFileSync(join(folder, 'models/kiosk.gguf'), '');
  site = await serveForeignSite('localhost', folder);
});

test.afterAll(() => {
  site.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Writes a script that passes these options to the ready-made service worker. */
function writeScript(name: string, options: object): void {
  const code = `self.tabserve = ${JSON.stringify(options)};\nimportScripts('${READY_MADE}');`;
  writeFileSync(join(folder, name), code);
}

const open = (page: Page, serviceWorker: string, more = '') =>
  page.goto(`${site.origin}/readiness.html?serviceWorker=${serviceWorker}${more}`);

const ready = (page: Page) => page.evaluate(() => window.tabserve.ready);

const warning = (page: Page) =>
  page.evaluate(() => {
    const { status } = window.tabserve;
    return 'warning' in status ? status.warning : undefined;
  });

/** Asks for a model. Returns the status and the error's message. */
const request = (page: Page, { model = 'kiosk', key = 'local', path = '/v1' } = {}) =>
  page.evaluate(
    async ([model, key, path]) => {
      const response = await fetch(`${path}/models/${model}`, { headers: { authorization: `Bearer ${key}` } });
      const body = (await response.json().catch(() => null)) as { error?: { message: string } } | null;
      return { status: response.status, message: body?.error?.message ?? '' };
    },
    [model, key, path] as const,
  );

/** Holds the lock that a service worker holds while it sends a response. Returns a function that releases it. */
async function holdAnswer(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(
    (name) =>
      new Promise<void>((held) => {
        const hold = () =>
          new Promise<void>((release) => {
            Object.assign(globalThis, { release });
            held();
          });
        void navigator.locks.request(name, { mode: 'shared' }, hold);
      }),
    ANSWER_LOCK,
  );
  return () => page.evaluate(() => (globalThis as unknown as { release: () => void }).release());
}

const GGUF = { models: [{ id: 'kiosk', gguf: 'models/kiosk.gguf' }] };

const changes = [
  { what: 'a GGUF model', options: GGUF, asked: {} },
  { what: 'another name for a model', options: { aliases: { kiosk: 'pocket' } }, asked: {} },
  { what: 'a key', options: { keys: [{ key: 'mine', name: 'Mine' }] }, asked: { key: 'mine', model: 'pocket' } },
  { what: 'another path', options: { basePath: '/api/v1' }, asked: { path: '/api/v1', model: 'pocket' } },
];

for (const { what, options, asked } of changes) {
  test(`a script with ${what} replaces the ready-made service worker`, async ({ page }) => {
    await open(page, READY_MADE);
    await ready(page);
    expect((await request(page, asked)).status).not.toBe(200);
    writeScript('own.js', options);
    await open(page, 'own.js');
    await ready(page);
    // A busy browser may activate it only after `ready` has resolved.
    await expect.poll(() => request(page, asked)).toEqual({ status: 200, message: '' });
    await expect.poll(() => warning(page)).toBeUndefined();
  });

  test(`a script that got ${what} replaces the earlier script of the same address`, async ({ page }) => {
    writeScript('same.js', {});
    await open(page, 'same.js');
    await ready(page);
    writeScript('same.js', options);
    await page.reload();
    await ready(page);
    // The browser looks for a changed script only after it has loaded the page.
    await expect.poll(() => request(page, asked)).toEqual({ status: 200, message: '' });
    expect(await page.evaluate(() => window.tabserve.updateAvailable)).toBe(false);
  });
}

test('newer options wait while a response is being sent, and status and 404 say so', async ({ page, context }) => {
  await open(page, READY_MADE);
  await ready(page);
  const release = await holdAnswer(page);
  writeScript('own.js', GGUF);
  const second = await context.newPage();
  await open(second, 'own.js');
  await ready(second);
  for (const said of [await warning(second), (await request(second)).message]) {
    expect(said).toContain(`${site.origin}/own.js`);
    expect(said).toContain('applyUpdate()');
  }
  await release();
  await expect.poll(() => request(second)).toEqual({ status: 200, message: '' });
  await expect.poll(() => warning(second)).toBeUndefined();
  expect(await request(page)).toEqual({ status: 200, message: '' });
});

test('with `autoUpdate: false` newer options wait until applyUpdate(), and status and 404 say so', async ({ page }) => {
  await open(page, READY_MADE);
  await ready(page);
  writeScript('own.js', GGUF);
  await open(page, 'own.js', '&autoUpdate=');
  await ready(page);
  for (const said of [await warning(page), (await request(page)).message]) {
    expect(said).toContain(`${site.origin}/own.js`);
    expect(said).toContain('applyUpdate()');
  }
  await Promise.all([page.waitForEvent('load'), page.evaluate(() => void window.tabserve.applyUpdate())]);
  await ready(page);
  expect(await request(page)).toEqual({ status: 200, message: '' });
});

test('newer options that are invalid are not used, and the status names the fault', async ({ page }) => {
  await open(page, READY_MADE);
  await ready(page);
  writeScript('wrong.js', { models: [{ id: 'kiosk' }] });
  await open(page, 'wrong.js');
  await ready(page);
  expect(await warning(page)).toContain('`models[0].contextWindow`');
  expect(await request(page, { model: 'pocket' })).toEqual({ status: 200, message: '' });
});
