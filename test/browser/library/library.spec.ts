import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { buildLibraryFiles } from '../../../scripts/build/build-library-files.ts';
import { serveBuiltSite } from '../../../src/command-line/http-server/serve-built-site.ts';
import { FaultyModelServer } from '../../support/sites/faulty-model-server.ts';
import { reportWithoutDebugger } from '../../support/browsers/browser-without-debugger.ts';

const EXAMPLE = fileURLToPath(new URL('library-example', import.meta.url));

let folder: string;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tabserve-library-'));
  await buildLibraryFiles(folder);
  cpSync(EXAMPLE, folder, { recursive: true });
});

test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a site made of the library files and a few lines of code answers @core', async ({ page }) => {
  const site = await serveBuiltSite({ folder });
  try {
    await page.goto(site.url);
    await expect(page.locator('body')).toHaveText(/\w+ \w+/, { timeout: 90_000 });
  } finally {
    await site.close();
  }
});

test('a site in a folder, with its own service worker, key and model alias, answers', async ({ page }) => {
  const root = mkdtempSync(join(tmpdir(), 'tabserve-root-'));
  cpSync(folder, join(root, 'some/folder'), { recursive: true });
  writeFileSync(join(root, 'index.html'), '<!doctype html><html lang="en"><title>Another site</title></html>');
  const site = await serveBuiltSite({ folder: root });
  try {
    await page.goto(`${site.url}some/folder/own-worker.html`);
    await expect(page.locator('body')).toHaveText(/^{.*}$/, { timeout: 90_000 });
    expect(JSON.parse(await page.locator('body').innerText())).toMatchObject({
      mine: {
        status: 200,
        body: { model: 'pocket', choices: [{ message: { content: expect.stringMatching(/\w/) } }] },
      },
      standard: { status: 401, body: { error: { code: 'invalid_api_key' } } },
      builtIn: { id: 'pocket', state: { kind: 'present', missing: [] } },
      status: { state: 'ready', model: 'pocket' },
    });
  } finally {
    await site.close();
    rmSync(root, { recursive: true, force: true });
  }
});

test('a site without the built-in models, with its own model on another server and its own base path, answers', async ({
  page,
}) => {
  const server = new FaultyModelServer();
  const origin = (await server.listen()).replace('localhost', '127.0.0.1');
  const names = readdirSync(join(folder, 'models/pocket'));
  server.add('/kiosk/', new Map(names.map((name) => [name, readFileSync(join(folder, 'models/pocket', name))])));
  const kiosk = { id: 'kiosk', modelUrl: `${origin}/kiosk`, libraryUrl: `${origin}/kiosk/pocket.wasm` };
  const models = [{ ...kiosk, contextWindow: 2048, vocabularySize: 2048 }];
  const options = { basePath: '/api/llm', fallthrough: true, models, builtInModels: [], default: 'kiosk' };
  const script = `self.tabserve = ${JSON.stringify(options)};\nimportScripts('tabserve-service-worker.js');`;
  writeFileSync(join(folder, 'own-models-worker.js'), script);
  mkdirSync(join(folder, 'api/llm'), { recursive: true });
  writeFileSync(join(folder, 'api/llm/users.json'), '["of the site"]');
  const site = await serveBuiltSite({ folder, modelHosts: [origin] });
  try {
    await page.goto(`${site.url}own-models.html`);
    await expect(page.locator('body')).toHaveText(/^{.*}$/, { timeout: 90_000 });
    const { answer, models, other, listed, status } = JSON.parse(await page.locator('body').innerText());
    expect(answer).toMatchObject({ model: 'kiosk', choices: [{ message: { content: expect.stringMatching(/\w/) } }] });
    expect(models.data).toMatchObject([{ id: 'kiosk', context_window: 2048, tabserve: { state: 'built-in' } }]);
    expect(other).toEqual(['of the site']);
    expect(listed).toMatchObject([{ id: 'kiosk', origin: 'built-in' }, { origin: 'catalogue' }]);
    expect(status).toMatchObject({ state: 'ready', model: 'kiosk' });
  } finally {
    await site.close();
    await server.close();
  }
});

test('a service worker that the browser stopped when idle answers the next request', async () => {
  const report = await reportWithoutDebugger({
    serve: (reports) => serveBuiltSite({ folder, modelHosts: [reports] }),
    path: 'unwatched.html',
  });
  const { before, after, first, second } = report as Record<'before' | 'after' | 'first' | 'second', string>;
  const [one, other] = [before, after].map((answer) => JSON.parse(answer).choices[0].message.content);
  expect(one).toMatch(/\w/);
  expect(other).toBe(one);
  expect(second).not.toBe(first);
});
