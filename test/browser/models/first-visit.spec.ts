import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as base, type Page } from '@playwright/test';
import { localModels, MODELS_FOLDER } from '../../../src/command-line/local-models.ts';
import catalogue from '../../../src/engine-worker/models/gguf/gguf-catalogue.json' with { type: 'json' };
import { announcements, recordAnnouncements } from '../../support/pages/announcements.ts';
import { fakeSpeed } from '../../support/pages/fake-speed.ts';
import { ChatPage, LONG_QUESTION } from '../../support/pages/chat-page.ts';
import { reachState } from '../../support/pages/site-page.ts';
import { hasFocus, tabTo } from '../../support/pages/tab-to.ts';
import { copySite, type CopiedSite } from '../../support/sites/copied-site.ts';
import { FaultyModelServer } from '../../support/sites/faulty-model-server.ts';
import { expect, SLOWLY } from '../../support/sites/model-site.ts';

const smollm2 = localModels().find(({ id }) => id === 'smollm2');
/** The model that is offered first on a slow processor: the very file that `npm run model` fetches. */
const STARTER = catalogue.models.find(({ id }) => id === 'SmolLM2-135M-Instruct-Q4_1')!;

const test = base.extend<{ server: FaultyModelServer; site: CopiedSite }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright demands a pattern.
  server: async ({}, use) => {
    const server = new FaultyModelServer();
    await use(server);
    await server.close();
  },
  site: async ({ server, page }, use) => {
    const origin = await server.listen();
    const site = await copySite({ modelHosts: [origin] });
    const { repository, revision, file } = STARTER;
    const bytes = new Uint8Array(readFileSync(join(MODELS_FOLDER, smollm2!.file)));
    server.files.set(`/huggingface.co/${repository}/resolve/${revision}/${file}`, bytes);
    const serviceWorker = join(site.folder, 'site-service-worker.js');
    const options = `self.tabserve = { catalogue: { base: ${JSON.stringify(`${origin}/`)} } };`;
    writeFileSync(serviceWorker, `${options}\n${readFileSync(serviceWorker, 'utf8')}`);
    await page.addInitScript(fakeSpeed, { weightsPerSecond: 2e9, graphics: null });
    await use(site);
    await site.close();
  },
});

test.skip(smollm2 === undefined, 'SmolLM2 is not here: `npm run model -- smollm2` fetches it.');

const card = (page: Page) => page.getByRole('region', { name: 'Pocket is only a demo. Get a real model' });

test('the model offer of a first visit is visible without scrolling, with a link to other models', async ({
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
    await expect(card(page).getByRole('button', { name: 'Download SmolLM2 135M, 98 MB' })).toBeInViewport({ ratio: 1 });
    await expect(card(page).getByRole('link', { name: 'Other models' })).toBeInViewport({ ratio: 1 });
  }
});

test('the model offer says size, time, speed and what each model is good for before a click', async ({
  page,
  site,
}) => {
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { downlink: 1.5, effectiveType: '3g' } }),
  );
  await page.goto(site.url);
  await expect(card(page)).toContainText('This device is slow for language models, so a small one comes first.');
  const [first, second] = [card(page).getByRole('listitem').first(), card(page).getByRole('listitem').last()];
  await expect(first).toContainText(/SmolLM2 135M.*fluently but knows little/s);
  await expect(first).toContainText(/98\sMB to download, about 9\smin.*about \d+ tokens a second/s);
  await expect(second).toContainText(/Qwen2\.5 0\.5B.*summaries.*491\sMB to download.*about \d+ tokens a second/s);
  await page.getByRole('link', { name: 'Models', exact: true }).click();
  const suggestions = page.getByRole('region', { name: 'For this device' });
  await expect(suggestions.getByRole('listitem').first()).toContainText(/Writes about \d+ tokens a second here\./);
  await expect(suggestions).toContainText('The speeds are estimates from a short measurement on this device.');
});

test('on a metered connection the offer warns of the cost', async ({ page, site }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { type: 'cellular' } }));
  await page.goto(site.url);
  await expect(card(page)).toContainText('You may pay for data on this connection, so mind the size.');
  await expect(card(page).getByRole('button').first()).toHaveAccessibleName(/Download SmolLM2 135M, 98\sMB/);
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
    expect(await chat.answered()).toContain(
      'I can’t answer that. I’m Pocket, a tiny demo model that runs in this tab.',
    );
    // Nothing is requested from the model's server before the user agrees.
    expect(server.requests).toEqual([]);

    server.bytesPerSecond = SLOWLY;
    const door = page.getByRole('button', { name: 'Get SmolLM2 135M, 98 MB, and ask this again' });
    await tabTo(door, 'Shift+Tab');
    await page.keyboard.press('Enter');
    const coming = page.getByText('SmolLM2 135M is downloading. It will answer this as soon as it is here.');
    await expect(coming).toBeFocused();
    await expect(page.getByRole('progressbar', { name: 'Download of SmolLM2 135M' })).toBeInViewport();
    if (goesOn) {
      await asks('What is the capital of France?');
      expect(await chat.answered()).toContain('Paris');
      // The download may end during this answer.
      await asks(LONG_QUESTION);
    }
    server.bytesPerSecond = null;

    await expect(page.getByRole('article', { name: 'SmolLM2 135M answered' })).toBeVisible({ timeout: 200_000 });
    await chat.growing();
    await chat.stop();
    // The question was sent again once, and the messages after its first answer are kept.
    await expect(chat.questions).toHaveText(
      goesOn
        ? [/Mona Lisa/, /capital of France/, /story about a dog/, /Mona Lisa/] //
        : [/Mona Lisa/],
    );
    await expect(page.getByRole('combobox', { name: 'Model', exact: true })).toHaveValue(STARTER.id);
    const said = (await announcements(page)).join('\n');
    expect(said).toMatch(
      /answering.*I can’t answer that.*SmolLM2 135M is downloading.*SmolLM2 135M is on this device.*answering/is,
    );

    await page.context().setOffline(true);
    await page.reload();
    await expect(page.getByRole('article', { name: 'SmolLM2 135M answered' })).toBeVisible();
    const before = await chat.questions.count();
    await asks('Say hello.');
    await expect(chat.questions).toHaveCount(before + 1);
    await chat.growing();
    await chat.stop();
    await expect(page.getByRole('article', { name: 'SmolLM2 135M answered' })).toHaveCount(2);
    expect(await announcements(page)).toContain('Answering');
  });
}
