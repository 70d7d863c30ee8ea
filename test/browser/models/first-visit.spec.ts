import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as base, type Page } from '@playwright/test';
import { localModels, MODELS_FOLDER } from '../../../src/command-line/local-models.ts';
import catalogue from '../../../src/engine-worker/models/gguf/gguf-catalogue.json' with { type: 'json' };
import { announcements, recordAnnouncements } from '../../support/pages/announcements.ts';
import { ChatPage, LONG_QUESTION } from '../../support/pages/chat-page.ts';
import { reachState } from '../../support/pages/site-page.ts';
import { hasFocus, tabTo } from '../../support/pages/tab-to.ts';
import { copySite, type CopiedSite } from '../../support/sites/copied-site.ts';
import { FaultyModelServer } from '../../support/sites/faulty-model-server.ts';
import { expect, SLOWLY } from '../../support/sites/model-site.ts';

const smollm2 = localModels().find(({ id }) => id === 'smollm2');
/** The model that is suggested for a simulated GPU. The test's server sends SmolLM2 in its place. */
const SUGGESTED = catalogue.models.find(({ id }) => id === 'Qwen2.5-0.5B-Instruct-Q4_K_M')!;

const SMALLEST = catalogue.models.find(({ id }) => id === 'SmolLM2-360M-Instruct-Q8_0')!;

const test = base.extend<{ server: FaultyModelServer; site: CopiedSite }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright demands a pattern.
  server: async ({}, use) => {
    const server = new FaultyModelServer();
    await use(server);
    await server.close();
  },
  site: async ({ server }, use) => {
    const origin = await server.listen();
    const site = await copySite({ modelHosts: [origin] });
    const bytes = new Uint8Array(readFileSync(join(MODELS_FOLDER, smollm2!.file)));
    const { repository, revision, file } = SUGGESTED;
    server.files.set(`/huggingface.co/${repository}/resolve/${revision}/${file}`, bytes);
    const serviceWorker = join(site.folder, 'site-service-worker.js');
    const options = `self.tabserve = { catalogue: { base: ${JSON.stringify(`${origin}/`)} } };`;
    writeFileSync(serviceWorker, `${options}\n${readFileSync(serviceWorker, 'utf8')}`);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    for (const name of readdirSync(join(site.folder, 'assets')).filter((name) => name.endsWith('.js'))) {
      const path = join(site.folder, 'assets', name);
      const script = readFileSync(path, 'utf8');
      if (!script.includes(SUGGESTED.sha256!)) continue;
      writeFileSync(
        path,
        script
          .replaceAll(SUGGESTED.sha256!, sha256)
          .replaceAll(String(SUGGESTED.bytes), String(bytes.length))
          // Changes the sizes, but keeps this model the second smallest.
          .replaceAll(String(SMALLEST.bytes), '1000000'),
      );
    }
    await use(site);
    await site.close();
  },
});

test.skip(smollm2 === undefined, 'SmolLM2 is not here: `npm run model -- smollm2` fetches it.');

const card = (page: Page) => page.getByRole('region', { name: 'Pocket is a demonstration. Get a real one' });

test('the model offer of a first visit is visible without scrolling, with links to other models', async ({
  page,
  site,
}) => {
  for (const size of [
    { width: 1366, height: 650 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    await page.goto(site.url);
    await reachState(page, 'ready');
    await expect(card(page).getByRole('button', { name: 'Get Qwen2.5 0.5B, 98 MB' })).toBeInViewport({ ratio: 1 });
    await expect(card(page).getByRole('link', { name: 'Other models' })).toBeInViewport({ ratio: 1 });
    await expect(card(page).getByRole('link', { name: 'I have a GGUF file' })).toBeInViewport({ ratio: 1 });
  }
  await card(page).getByRole('link', { name: 'I have a GGUF file' }).click();
  await expect(page.getByRole('dialog', { name: 'A GGUF model of your own' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('the model offer estimates speed and download time, measured once for all visits', async ({ page, site }) => {
  const measurements: string[] = [];
  page.on('worker', (worker) => worker.url().includes('speed-worker') && measurements.push(worker.url()));
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { downlink: 1.5, effectiveType: '3g' } }),
  );
  await page.goto(site.url);
  const fits =
    /^Qwen2\.5 0\.5B suits this device: 98\sMB, about 9\smin to download\. Writes (about \d+ tokens?|less than a token) a second here\./;
  await expect(card(page).getByText(fits)).toBeVisible();
  expect(measurements).toHaveLength(1);
  await page.reload();
  await expect(card(page).getByText(fits)).toBeVisible();
  await page.getByRole('link', { name: 'Models', exact: true }).click();
  const suggestions = page.getByRole('region', { name: 'For this device' });
  await expect(suggestions.getByRole('listitem').first()).toContainText(/Writes .* a second here\./);
  await expect(suggestions).toContainText('The speeds are estimates from a short measurement on this device.');
  expect(measurements).toHaveLength(1);
});

test('on a metered connection the smallest model is offered, and its size comes first', async ({ page, site }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { type: 'cellular' } }));
  await page.goto(site.url);
  await expect(card(page)).toContainText(
    /1\.0\sMB to download, on a connection that may cost by the byte\. SmolLM2 360M suits this device\./,
  );
  await expect(card(page).getByRole('button', { name: /^Get SmolLM2 360M, 1\.0\sMB$/ })).toBeVisible();
});

const SIZES = [
  { name: 'on a desktop', size: { width: 1440, height: 900 }, goesOn: true },
  { name: 'on a phone', size: { width: 390, height: 844 }, goesOn: false },
] as const;

for (const { name, size, goesOn } of SIZES) {
  test(`a first visit leads to a real model with the keyboard alone, and each step is announced, ${name}`, async ({
    page,
    site,
    server,
  }) => {
    test.setTimeout(500_000);
    await recordAnnouncements(page);
    await page.setViewportSize(size);
    await page.goto(site.url);
    await reachState(page, 'ready');
    await expect(card(page)).toBeVisible();

    const chat = new ChatPage(page);
    const asks = async (question: string) => {
      if (!(await chat.field.evaluate(hasFocus))) await tabTo(chat.field);
      await page.keyboard.type(question);
      await page.keyboard.press('Enter');
    };
    await asks('Who painted the Mona Lisa?');
    expect(await chat.answered()).toContain('I do not know that.');
    // Nothing is requested from the model's server before the user agrees.
    expect(server.requests).toEqual([]);

    server.bytesPerSecond = SLOWLY;
    const door = page.getByRole('button', { name: 'Get Qwen2.5 0.5B, 98 MB, and ask this again' });
    await tabTo(door, 'Shift+Tab');
    await page.keyboard.press('Enter');
    const coming = page.getByText('Qwen2.5 0.5B is on its way. It answers this as soon as it is here.');
    await expect(coming).toBeFocused();
    await expect(page.getByRole('progressbar', { name: 'Download of Qwen2.5 0.5B' })).toBeInViewport();
    if (goesOn) {
      await asks('What is the capital of France?');
      expect(await chat.answered()).toContain('Paris');
      // The download may end during this answer.
      await asks(LONG_QUESTION);
    }
    server.bytesPerSecond = null;

    await expect(page.getByRole('article', { name: 'Qwen2.5 0.5B answered' })).toBeVisible({ timeout: 200_000 });
    await chat.growing();
    await chat.stop();
    // The question was sent again once, and the messages after its first answer are kept.
    await expect(chat.questions).toHaveText(
      goesOn
        ? [/Mona Lisa/, /capital of France/, /story about a dog/, /Mona Lisa/] //
        : [/Mona Lisa/],
    );
    await expect(page.getByRole('combobox', { name: 'Model', exact: true })).toHaveValue(SUGGESTED.id);
    const said = (await announcements(page)).join('\n');
    expect(said).toMatch(
      /answering.*I do not know that.*Qwen2\.5 0\.5B is on its way.*Qwen2\.5 0\.5B is on this device.*answering/is,
    );

    await page.context().setOffline(true);
    await page.reload();
    await expect(page.getByRole('article', { name: 'Qwen2.5 0.5B answered' })).toBeVisible();
    const before = await chat.questions.count();
    await asks('Say hello.');
    await expect(chat.questions).toHaveCount(before + 1);
    await chat.growing();
    await chat.stop();
    await expect(page.getByRole('article', { name: 'Qwen2.5 0.5B answered' })).toHaveCount(2);
    expect(await announcements(page)).toContain('Answering');
  });
}
