import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { ANSWER_WITHOUT_GPU, askWithoutGpu } from '../../support/pages/ask-without-gpu.ts';
import { copySite, type CopiedSite } from '../../support/sites/copied-site.ts';
import { pageStatus, reachState, retry } from '../../support/pages/site-page.ts';

let site: CopiedSite;

test.beforeEach(async () => {
  site = await copySite();
});

test.afterEach(() => site.close());

const SHARD = 'models/pocket/params_shard_0.bin';

const LIBRARY = 'models/pocket/pocket.wasm';

/** Requests an answer. @returns the status and the body. */
function ask(page: Page, stream: boolean): Promise<{ status: number; text: string }> {
  return page.evaluate(async (stream) => {
    const response = await fetch('/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'pocket', stream, messages: [{ role: 'user', content: 'Hello' }] }),
    });
    return { status: response.status, text: await response.text() };
  }, stream);
}

test('a missing or damaged model file is named by the page, answered as model_load_failed, and retried once it is repaired', async ({
  page,
}) => {
  const intact = new Map([LIBRARY, SHARD].map((file) => [file, readFileSync(join(site.folder, file))]));
  const damaged = Buffer.from(intact.get(SHARD)!).fill(0, 1000, 2000);
  rmSync(join(site.folder, LIBRARY));
  await page.goto(site.url);
  for (const { trouble, file, breakNext } of [
    { trouble: 'a missing library', file: LIBRARY, breakNext: () => rmSync(join(site.folder, SHARD)) },
    { trouble: 'missing weights', file: SHARD, breakNext: () => writeFileSync(join(site.folder, SHARD), damaged) },
    { trouble: 'damaged weights', file: SHARD, breakNext: () => {} },
  ]) {
    await test.step(trouble, async () => {
      const name = file.split('/').at(-1)!;
      expect((await reachState(page, 'failed')).message).toContain(name);
      await page.waitForFunction(() => navigator.serviceWorker.controller);
      const { status, text } = await ask(page, false);
      expect(status).toBe(503);
      expect(JSON.parse(text)).toMatchObject({
        error: { code: 'model_load_failed', message: expect.stringContaining(name) },
      });
      // A stream fails with a 503 or, after its response headers, with an event. Both contain this code.
      expect((await ask(page, true)).text).toContain('"code":"model_load_failed"');
      writeFileSync(join(site.folder, file), intact.get(file)!);
      breakNext();
      await retry(page);
    });
  }
  expect(await pageStatus(page)).toMatchObject({ state: 'ready', model: 'pocket' });
});

test('a browser that can run neither engine is told what to do, and the endpoint answers gpu_unavailable @core', async ({
  page,
}) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(Navigator.prototype, 'gpu');
    // Simulates a browser without 128-bit instructions in WebAssembly, which llama.cpp needs.
    WebAssembly.validate = () => false;
  });
  await page.goto(site.url);
  const status = await reachState(page, 'unsupported');
  expect(status).toMatchObject({ reason: 'no-webgpu', message: expect.stringContaining('Chrome') });
  await expect(page.getByText('WebGPU is missing in it, or switched off.')).toBeVisible();
  await expect(page.getByText('Use graphics acceleration when available')).toBeVisible();
  // The tested browser is newer, so it is not told to update.
  await expect(page.getByText('124 or newer')).toBeHidden();
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  expect(await page.evaluate(askWithoutGpu)).toMatchObject(ANSWER_WITHOUT_GPU);
});

for (const { context, remove } of [
  { context: 'no-service-worker', remove: () => Reflect.deleteProperty(Navigator.prototype, 'serviceWorker') },
  { context: 'insecure-context', remove: () => Object.defineProperty(globalThis, 'isSecureContext', { value: false }) },
]) {
  test(`a page in the state ${context} explains it in a sentence`, async ({ page }) => {
    await page.addInitScript(remove);
    await page.goto(site.url);
    expect(await reachState(page, 'unsupported')).toMatchObject({
      reason: context,
      message: expect.stringMatching(/\.$/),
    });
  });
}

test('a service worker script that cannot be fetched is a failure that can be retried', async ({ page }) => {
  const path = join(site.folder, 'site-service-worker.js');
  const script = readFileSync(path);
  rmSync(path);
  await page.goto(site.url);
  expect(await reachState(page, 'failed')).toMatchObject({
    model: null,
    message: expect.stringContaining('service worker'),
  });
  writeFileSync(path, script);
  await retry(page);
  await reachState(page, 'ready');
});

test('an update waits for the running answer, then takes over @core', async ({ page, context }) => {
  await page.goto(site.url);
  await reachState(page, 'ready');
  const answering = await context.newPage();
  await answering.goto(site.url);
  await reachState(answering, 'ready');
  const path = join(site.folder, 'site-service-worker.js');
  writeFileSync(path, `${readFileSync(path, 'utf8')}\n// A newer build.`);
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
  const update = page.getByRole('status').filter({ hasText: 'A new version of this page is available.' });
  await expect(update).toBeVisible();
  const whole = answering.evaluate(async () => {
    const response = await fetch('/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: 'Bearer local', 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'pocket',
        stream: true,
        max_tokens: 60,
        logit_bias: { 0: -100 },
        messages: [{ role: 'user', content: 'Hello' }],
      }),
    });
    Object.assign(globalThis, { begun: true });
    return response.text();
  });
  await answering.waitForFunction(() => 'begun' in globalThis);
  await expect(answering.getByText('A new version of this page is available.')).toBeVisible();
  const reloaded = page.waitForEvent('load');
  await update.getByRole('button', { name: 'Reload' }).click();
  expect(await whole).toContain('data: [DONE]');
  await reloaded;
  await reachState(page, 'ready');
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting)).toBeNull();
});
