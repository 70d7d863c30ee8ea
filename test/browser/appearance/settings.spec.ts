import { readdirSync } from 'node:fs';
import { expect, test, type Page } from '@playwright/test';
import * as german from '../../../src/chat/strings/german/german.ts';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { openSpecimen, specimenPages } from '../../support/sites/gallery.ts';
import { GAP, sentencesOf } from '../../support/samples/sentences.ts';
import { WITHOUT_GPU } from '../../support/browsers/without-gpu.ts';

test.use({ ...WITHOUT_GPU, contextOptions: { reducedMotion: 'reduce' } });
test.setTimeout(300_000);

const STRINGS = new URL('../../../src/chat/strings/', import.meta.url);

/** Every English text of the page that has a German one, as what a text on the screen must not be, or must not hold. */
async function englishTexts(): Promise<{ readonly whole: ReadonlySet<string>; readonly parts: readonly RegExp[] }> {
  const files = readdirSync(STRINGS).filter((file) => !/^(format|language|german)/.test(file));
  const tables = await Promise.all(files.map((file) => import(new URL(file, STRINGS).href) as Promise<object>));
  const inGerman = new Set(Object.values(german).flatMap((table) => Object.values(sentencesOf(table))));
  const texts = tables
    .flatMap((module) => Object.values(module).filter((table) => typeof table === 'object'))
    .flatMap((table) => Object.values(sentencesOf(table)))
    .filter((text) => text !== '' && !inGerman.has(text));
  const sentences = texts.filter((text) => text.replaceAll(GAP, '').split(/\s+/).filter(Boolean).length > 2);
  return {
    // What begins small may be a word of a sample.
    whole: new Set(texts.filter((text) => /^\p{Lu}/u.test(text))),
    parts: sentences.map(
      (text) =>
        new RegExp(
          text
            .split(/Xyzzy|[\d.,]+/)
            .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
            .join('.*'),
          's',
        ),
    ),
  };
}

/** Everything that a page says: its texts, and the names of what is not text. */
function textsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [document.title];
    const collect = (node: Node): void => {
      if (node instanceof Text) found.push(node.data.trim());
      if (node instanceof HTMLStyleElement) return;
      if (node instanceof Element) {
        for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'label'])
          found.push(node.getAttribute(name) ?? '');
        node.shadowRoot?.childNodes.forEach(collect);
      }
      node.childNodes.forEach(collect);
    };
    collect(document.body);
    return [...new Set(found)].filter((text) => text !== '');
  });
}

test('in German no element shows an English text', async ({ page }) => {
  const { whole, parts } = await englishTexts();
  expect(parts.length).toBeGreaterThan(150);
  // Every element in its states, as far as these stand side by side, and every screen.
  const names = (await specimenPages(page)).filter((name) => !name.includes('/') || name.startsWith('chat-app/'));
  expect(names.length).toBeGreaterThan(25);
  for (const name of names) {
    await openSpecimen(page, name, { language: 'de' });
    const texts = await textsOf(page);
    const faults = texts.filter((text) => whole.has(text) || parts.some((part) => part.test(text)));
    expect.soft(faults, name).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('de');
  }
});

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

  await choose('Einstellungen & mehr', 'Wie das System');
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
