import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { englishTexts } from '../../support/pages/english-texts.ts';
import { expectAccessible } from '../../support/pages/accessibility.ts';
import { openSpecimen, specimenPages } from '../../support/sites/gallery.ts';
import { SCREENS } from '../../support/pages/screens.ts';
import { test } from '../../support/pages/shared-gallery.ts';

test.setTimeout(300_000);

const CHAT = fileURLToPath(new URL('../../../src/chat/', import.meta.url));
const TABLES = readdirSync(new URL('../../gallery/specimens', import.meta.url)).map((file) => basename(file, '.ts'));

/** Whole screens. screens.spec.ts examines them with axe, with more content; that takes seconds for each. */
const JUDGED_ELSEWHERE = new Set<string>(SCREENS.map(({ specimen }) => specimen));

/** Collects the page's errors, warnings and failed requests from now on. */
function complaints(page: Page): string[] {
  const heard: string[] = [];
  page.on('pageerror', ({ message }) => heard.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') heard.push(message.text());
  });
  page.on('response', (response) => {
    if (response.status() >= 400) heard.push(`${response.status()} for ${response.url()}`);
  });
  return heard;
}

/** Returns by how many pixels the page is wider than its window, for each direction and width. */
async function overflow(page: Page): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const width of [1200, 320]) {
    await page.setViewportSize({ width, height: 720 });
    for (const direction of ['ltr', 'rtl']) {
      found[`${direction} ${width}`] = await page.evaluate(async (direction) => {
        document.documentElement.dir = direction;
        await new Promise(requestAnimationFrame);
        return document.documentElement.scrollWidth - innerWidth;
      }, direction);
    }
  }
  return found;
}

for (const table of TABLES) {
  test(`specimens of ${table} in German: no errors, no sideways scrolling, no axe violation, no English`, async ({
    page,
  }) => {
    const heard = complaints(page);
    const pages = await specimenPages(page, table);
    expect(pages).not.toEqual([]);
    for (const name of pages) {
      await test.step(name, async () => {
        await page.setViewportSize({ width: 1200, height: 720 });
        // Tests with German texts, which are longer: if they fit, the English ones fit.
        await openSpecimen(page, name, { language: 'de' });
        expect(await page.evaluate(() => document.documentElement.lang)).toBe('de');
        // Single states may contain English texts of a site or of the engine, so only pages of all states are checked.
        if (!name.includes('/') || name.startsWith('chat-app/'))
          expect.soft(await englishTexts(page), name).toEqual([]);
        if (!JUDGED_ELSEWHERE.has(name)) await expectAccessible(page, name);
        expect.soft(await overflow(page), name).toEqual({ 'ltr 320': 0, 'ltr 1200': 0, 'rtl 320': 0, 'rtl 1200': 0 });
        expect.soft(heard.splice(0), name).toEqual([]);
      });
    }
  });
}

test('every element of the chat has a specimen', async ({ page }) => {
  const files = readdirSync(CHAT, { encoding: 'utf8', recursive: true }).filter((file) => file.endsWith('.ts'));
  const elements = files.flatMap((file) =>
    [...readFileSync(`${CHAT}${file}`, 'utf8').matchAll(/customElements\.define\('([\w-]+)'/g)].map(([, name]) => name),
  );
  const shown = new Set((await specimenPages(page)).map((name) => name.split('/')[0]));
  expect(elements.filter((element) => !shown.has(element!))).toEqual([]);
});

test('the gallery shows the specimen that the address names', async ({ page }) => {
  await page.goto('/gallery.html#question-message/editing');
  const alone = page.getByRole('link', { name: 'alone on its page' });
  await page.getByLabel('scheme').selectOption('dark');
  await page.getByLabel('direction').selectOption('right to left');
  await page.goto((await alone.getAttribute('href'))!);
  await expect(page.getByRole('textbox', { name: 'Edit your question' })).toBeVisible();
  const { colorScheme, direction } = await page.evaluate(() => {
    const { colorScheme, direction } = getComputedStyle(document.documentElement);
    return { colorScheme, direction };
  });
  expect({ colorScheme, direction }).toEqual({ colorScheme: 'dark', direction: 'rtl' });
});
