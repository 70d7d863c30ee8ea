import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { COMPAT_FOLDER, LLAMA_CPP_CACHE } from '../../../src/shared/models/llama-cpp-files.ts';
import { askPocket, POCKETS_ANSWER } from '../../support/pages/ask-pocket.ts';
import { WITHOUT_GPU } from '../../support/browsers/without-gpu.ts';
import { pageStatus, reachState } from '../../support/pages/site-page.ts';
import { copySite, type CopiedSite } from '../../support/sites/copied-site.ts';
import { hideWasmFeatures } from '../../support/sites/hide-wasm-features.ts';

test.use(WITHOUT_GPU);

let site: CopiedSite;

test.beforeEach(async () => {
  site = await copySite();
  hideWasmFeatures(site.folder);
});

test.afterEach(() => site.close());

/** Opens the site and notes which of llama.cpp's files the browser requests. */
async function open(page: Page): Promise<string[]> {
  const requested: string[] = [];
  page.context().on('request', (request) => {
    const [, file] = /\/llama-cpp-\w+\/(.+)$/.exec(request.url()) ?? [];
    if (file !== undefined) requested.push(file);
  });
  await page.goto(site.url);
  return requested;
}

test('without JSPI and 64-bit memories Pocket answers, also without network, and no other program is fetched @core', async ({
  page,
}) => {
  test.setTimeout(300_000);
  const requested = await open(page);
  await reachState(page, 'ready');
  expect(await page.evaluate(askPocket)).toEqual(POCKETS_ANSWER);
  // Requests of other workers than the page's own may be missing here.
  expect([...new Set(requested)].filter((file) => file.endsWith('.wasm'))).toEqual([`${COMPAT_FOLDER}wllama.wasm`]);
  const kept = () =>
    page.evaluate(async (name) => {
      const keys = await (await caches.open(name)).keys();
      return keys.flatMap(({ url }) => url.split(/\/llama-cpp-\w+\//).slice(1)).toSorted();
    }, LLAMA_CPP_CACHE);
  await expect
    .poll(kept)
    .toEqual([...['thread.js', 'wllama.wasm', 'worker.js'].map((file) => COMPAT_FOLDER + file), 'wllama.js']);
  await page.context().setOffline(true);
  await page.reload();
  await reachState(page, 'ready');
  expect(await page.evaluate(askPocket)).toEqual(POCKETS_ANSWER);
});

test('without these files the page says which option makes a site serve them', async ({ page }) => {
  const assets = join(site.folder, 'assets');
  const llamaCpp = readdirSync(assets).find((name) => name.startsWith('llama-cpp-'))!;
  rmSync(join(assets, llamaCpp, COMPAT_FOLDER), { recursive: true });
  await open(page);
  await reachState(page, 'failed');
  expect((await pageStatus(page))?.message).toMatch(/compat\/worker\.js.*`npx tabserve init --gguf`/);
});
