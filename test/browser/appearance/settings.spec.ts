import { expect, test } from '@playwright/test';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { WITHOUT_GPU } from '../../support/browsers/without-gpu.ts';

test.use({ ...WITHOUT_GPU, contextOptions: { reducedMotion: 'reduce' } });

test('the language and colours chosen in the menu persist across a reload, without network, before the first paint @firefox @core', async ({
  page,
  context,
}) => {
  await page.goto('/');
  const choose = async (menu: string, choice: string) => {
    await page.getByRole('button', { name: menu }).press('Enter');
    await page.getByRole('menuitemcheckbox', { name: choice }).click();
  };
  const shown = () =>
    page.evaluate(() => ({
      scheme: getComputedStyle(document.documentElement).colorScheme,
      ground: getComputedStyle(document.body).backgroundColor,
      bar: [...document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')].find(
        ({ media }) => matchMedia(media).matches,
      )?.content,
    }));
  const light = await shown();
  await choose('Settings and more', 'Dark');
  await expect.poll(shown).toEqual({ scheme: 'dark', ground: 'rgb(15, 21, 18)', bar: '#0b100d' });

  const draft = 'Was ich gerade schreibe';
  await new ChatPage(page).field.fill(draft);
  await choose('Settings and more', 'Deutsch');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Ein Sprachmodell/);
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('de');
  await expect(page.getByRole('textbox', { name: 'Deine Frage' })).toHaveValue(draft);

  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByRole('link', { name: 'Neuer Chat' })).toBeVisible();
  expect((await shown()).scheme).toBe('dark');
  await context.setOffline(false);

  await choose('Einstellungen & mehr', 'Wie im System');
  await expect.poll(shown).toEqual(light);
  await choose('Einstellungen & mehr', 'English');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/A language model/);
});

test.describe('without the scripts of the page', () => {
  test.use({ serviceWorkers: 'block' });

  test('the chosen colours apply before the scripts run', async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem('tabserve-colour-scheme', 'dark'));
    await page.route('**/assets/**', (route) =>
      route.request().resourceType() === 'script' ? route.abort() : route.continue(),
    );
    await page.goto('/');
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(15, 21, 18)');
  });

  test('a browser that prefers German gets the page in German, or in English if the German texts cannot be fetched', async ({
    browser,
    baseURL,
  }) => {
    const context = await browser.newContext({ baseURL: baseURL!, locale: 'de-AT', serviceWorkers: 'block' });
    const page = await context.newPage();
    await page.goto('/');
    await expect(page.getByRole('link', { name: 'Neuer Chat' })).toBeVisible();
    await page.route('**/german*', (route) => route.abort());
    await page.reload();
    await expect(page.getByRole('link', { name: 'New chat' })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en');
    await context.close();
  });
});
