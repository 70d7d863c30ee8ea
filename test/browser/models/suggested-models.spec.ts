import type { Page } from '@playwright/test';
import type { Tabserve } from '../../../src/page/index.ts';
import { expectAccessible } from '../../support/pages/accessibility.ts';
import { fakeSpeed } from '../../support/pages/fake-speed.ts';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { expect, mirrorPackage, SLOWLY, test } from '../../support/sites/model-site.ts';
import { ModelsPage } from '../../support/pages/models-page.ts';
import { siteReady } from '../../support/pages/site-page.ts';
import { tabTo } from '../../support/pages/tab-to.ts';

/** The fast suggestion for a simulated GPU and 8 GiB: without and with 16-bit numbers. */
const FAST: Readonly<Record<string, string>> = {
  'SmolLM2 360M': 'SmolLM2-360M-Instruct-q4f32_1-MLC',
  'Gemma 3 1B': 'gemma3-1b-it-q4f16_1-MLC',
};
const BALANCED = { id: 'Qwen3.5-0.8B-q4f32_1-MLC', name: 'Qwen3.5 0.8B' };

test.use({ mirrored: true });

/**
 * Simulates a device with 8 GB, which the page also assumes in Firefox, where the memory is hidden, and a processor of
 * always the same speed: the measured one depends on what else this machine does.
 */
test.beforeEach(async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'deviceMemory', { value: 8 }));
  await page.addInitScript(fakeSpeed, { weightsPerSecond: 1e9, graphics: null });
});

const downloads = (page: Page) => page.getByRole('region', { name: 'Downloads of models' });

test('a suggested model is downloaded while the user chats, and the next chat uses it', async ({ site, models }) => {
  for (const id of Object.values(FAST)) mirrorPackage(models.server, id);
  models.server.bytesPerSecond = SLOWLY;
  // Waits for the service worker, because the page may reload itself before that.
  await siteReady(site);
  const manager = await ModelsPage.open(site);
  const suggestions = site.getByRole('region', { name: 'For this device' }).getByRole('listitem');
  await expect(suggestions).toHaveCount(3);
  const name = await suggestions.first().getByRole('heading').innerText();
  const id = FAST[name]!;
  await expect(suggestions.first()).toContainText(
    /Fast.*Download: about \d+\sMB(?:, [^·]+)?\s· graphics memory: \d+\sMB/s,
  );
  await manager.button(`Download and chat: ${name}`).click();

  const line = downloads(site);
  await expect(line).toContainText(new RegExp(`${name} Downloading · .* of 5\\.\\d\\sMB\\s+· .*B/s\\s+· .* left`, 's'));
  await expect(line).toContainText('New chats will use it once it is downloaded.');
  // Slow enough for the download to be still running when it is paused below.
  models.server.bytesPerSecond = SLOWLY / 20;
  await expect(site.getByRole('textbox', { name: 'Your question' })).toBeVisible();
  const select = site.getByRole('combobox', { name: 'Model', exact: true });
  await expect(select).toHaveValue('pocket');
  const chat = new ChatPage(site);
  await chat.ask('What is 27 + 35?');
  await expect(site.getByRole('article', { name: 'Pocket answered' })).toBeVisible();

  // A phone shows the progress, too.
  await site.setViewportSize({ width: 390, height: 844 });
  await expect(line.getByRole('progressbar')).toBeInViewport();
  await expectAccessible(site, 'a chat beside a download');
  await line.getByRole('link', { name: 'Details' }).click();
  await expect(suggestions.first()).toContainText('Downloading');
  expect(await site.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  await manager.button(`Pause the download of ${name}`).click();
  await expect(manager.card(name).getByText('Paused ·')).toBeVisible();
  // In Firefox, Playwright's `goBack` would wait for a load event that never comes.
  await site.evaluate(() => history.back());
  await expect(line).toContainText('Paused');
  const resume = line.getByRole('button', { name: 'Resume' });
  await resume.click();
  await line.getByRole('button', { name: `Pause the download of ${name}` }).press('Enter');
  await expect(resume).toBeFocused();
  models.server.bytesPerSecond = null;
  await resume.press('Enter');
  await expect(line).toContainText(`${name} is on this device. New chats will use it.`);

  // A chat that has begun keeps its model, and offers the downloaded one.
  await manager.button(`Use ${name} here`).click();
  await expect(select).toHaveValue(id);
  await chat.ask('What is the capital of France?');
  await expect(site.getByRole('article', { name: `${name} answered` })).toBeVisible();

  // The notice offers a question that shows what the model can do.
  const offer = line.getByRole('button', { name: /^Try: / });
  const question = (await offer.innerText()).replace('Try: ', '');
  await offer.click();
  await expect(chat.field).toHaveValue(question);
  await expect(line).toBeHidden();
  await chat.field.press('Enter');
  await expect(chat.questions).toHaveText([question]);
  await expect(site.getByRole('article', { name: `${name} answered` })).toBeVisible();
  await site.goto(models.url);
  await expect(select).toHaveValue(id);
});

test('a suggested model can be found, downloaded and used with the keyboard alone', async ({ site, models }) => {
  for (const id of Object.values(FAST)) mirrorPackage(models.server, id);
  await siteReady(site);
  await tabTo(site.getByRole('link', { name: 'Models', exact: true }), 'Shift+Tab');
  await site.keyboard.press('Enter');
  const button = site.getByRole('button', { name: /^Download and chat: / }).first();
  await expect(button).toBeVisible();
  const name = await site
    .getByRole('region', { name: 'For this device' })
    .getByRole('heading', { level: 3 })
    .first()
    .innerText();
  await tabTo(button);
  await site.keyboard.press('Enter');

  // The question field has the focus, so that the user can type immediately.
  const field = site.getByRole('textbox', { name: 'Your question' });
  await expect(field).toBeFocused();
  await expect(site.getByRole('combobox', { name: 'Model', exact: true })).toHaveValue(FAST[name]!);
  await site.keyboard.type('What is the capital of France?');
  await site.keyboard.press('Enter');
  await expect(site.getByRole('article', { name: `${name} answered` })).toBeVisible();
  await new ChatPage(site).answered();
  await expect(field).toBeFocused();
});

test('a download that cannot begin says why, or asks first if space is short', async ({ site, models, context }) => {
  const manager = await ModelsPage.open(site);
  const suggestion = site.getByRole('region', { name: 'For this device' }).getByRole('listitem').first();
  const name = await suggestion.getByRole('heading').innerText();
  const button = manager.button(`Download and chat: ${name}`);

  await context.setOffline(true);
  await button.click();
  await expect(suggestion.getByRole('alert')).toContainText('You are offline. Nothing was downloaded');
  await context.setOffline(false);
  // The server does not have the model yet.
  await button.click();
  await expect(suggestion.getByRole('alert')).toContainText('answered 404 for mlc-chat-config.json');

  mirrorPackage(models.server, FAST[name]!);
  await pretendFull(site);
  await button.click();
  const dialog = site.locator('wa-dialog[open]');
  await expect(dialog).toContainText(
    /It takes 5\.\d\sMB, and the browser has 1\.0\sMB left for this site\. Nothing was downloaded\./,
  );
  await dialog.getByRole('button', { name: 'Show what is on this device' }).click();
  await expect(site.getByRole('heading', { name: 'On this device' })).toBeFocused();
  expect(new URL(site.url()).hash).toBe('#/models');
});

test('a download that stops says why, can be resumed, and its model is used by the next chat', async ({
  site,
  models,
  context,
}) => {
  const { server } = models;
  const [[name, id] = ['', '']] = Object.entries(FAST);
  mirrorPackage(server, id);
  mirrorPackage(server, BALANCED.id);
  // Waits until the page's own files are stored, because they would count towards the limit below.
  await siteReady(site);
  const manager = await ModelsPage.open(site);

  // Leaves room for all files but the weights, although the browser reported more. Meanwhile the user chooses another
  // model.
  const devTools = await context.newCDPSession(site);
  const { origin } = new URL(models.url);
  const { usage = 0 } = await site.evaluate(() => navigator.storage.estimate());
  await devTools.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: usage + 2_500_000 });
  await manager.button(`Download and chat: ${name}`).click();
  const line = downloads(site);
  await expect(line.getByRole('alert')).toContainText('This device has no room left for it.');
  await devTools.send('Storage.overrideQuotaForOrigin', { origin });
  await site.getByRole('link', { name: 'Models', exact: true }).click();
  await manager.button(`Download and chat: ${BALANCED.name}`).click();
  const select = site.getByRole('combobox', { name: 'Model', exact: true });
  await expect(select).toHaveValue(BALANCED.id);
  await line.getByRole('button', { name: 'Try again' }).click();
  await line.getByRole('button', { name: `Chat with ${name}` }).click();
  await expect(select).toHaveValue(id);
  await expect(line).toBeHidden();
});

/** Makes the page believe that a megabyte of storage is free. */
function pretendFull(page: Page): Promise<void> {
  return page.evaluate(() => {
    const { tabserve } = document.querySelector<HTMLElement & { readonly tabserve: Tabserve }>('chat-app')!;
    const { call } = tabserve;
    tabserve.call = ((name, parameters) =>
      name === 'models/storage'
        ? Promise.resolve({ modelBytes: 0, usedBytes: 0, quotaBytes: 1e6 })
        : call.call(tabserve, name, parameters)) as Tabserve['call'];
  });
}
