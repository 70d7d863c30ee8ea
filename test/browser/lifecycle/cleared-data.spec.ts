import { expect, type Page } from '@playwright/test';
import type { Tabserve } from '../../../src/page/index.ts';
import { EngineWorkerTarget } from '../../support/browsers/engine-workers.ts';
import { inPage } from '../../support/pages/in-page.ts';
import { openSite, retry, siteReady } from '../../support/pages/site-page.ts';
import { test } from '../../support/sites/word-site.ts';
import type * as requestsModule from '../in-page/requests.ts';

type Requests = typeof requestsModule;

const SHORT = { text: 'How many days has a week?', maxTokens: 8 };
const LONG = { text: 'Tell me a story about a dog.', stream: true, maxTokens: 500, endless: true };

const ask = (page: Page) => inPage<Requests>(page, 'requests').ask(SHORT);

/** Sets the page's global `lost` to a promise that resolves when its status becomes `starting`. */
async function awaitLoss(page: Page): Promise<void> {
  await page.evaluate(() => {
    const { tabserve } = document.querySelector<HTMLElement & { readonly tabserve: Tabserve }>('chat-app')!;
    const lost = new Promise<void>((resolve) =>
      tabserve.addEventListener('statuschange', () => {
        if (tabserve.status.state === 'starting') resolve();
      }),
    );
    Object.assign(globalThis, { lost });
  });
}

/** Clears the site's data, as the user can, or as the browser does when the disk is full. */
async function clearData(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin: new URL(page.url()).origin, storageTypes: 'all' });
  await session.detach();
}

test('tabs whose site data are cleared are served again by one engine without a reload, repeatedly', async ({
  page,
  context,
  browser,
}) => {
  await openSite(page);
  const expected = await ask(page);
  const other = await context.newPage();
  await openSite(other);
  for (let time = 1; time <= 2; time++) {
    for (const tab of [page, other]) await awaitLoss(tab);
    await clearData(page);
    for (const tab of [page, other]) {
      await tab.evaluate(() => (globalThis as { lost?: Promise<void> }).lost);
      await siteReady(tab);
      expect(await ask(tab)).toBe(expected);
    }
  }
  // A tab that is opened after the clearing gets another lock manager, and must still find the engine.
  const late = await context.newPage();
  await openSite(late);
  for (const tab of [late, page, other]) expect(await ask(tab)).toBe(expected);
  expect(await EngineWorkerTarget.list(browser)).toHaveLength(1);
});

test('unregistering the service worker interrupts no answer, and it is registered again', async ({ page }) => {
  await openSite(page);
  const requests = inPage<Requests>(page, 'requests');
  await requests.begin('running', LONG);
  const reading = requests.readToEnd('running');
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.unregister());
  await retry(page);
  const piecesSoFar = await requests.countPieces('running');
  const { wireEnd, failure } = await reading;
  expect(failure).toBeNull();
  expect(piecesSoFar, 'the answer was still running').toBeLessThan(await requests.countPieces('running'));
  expect(wireEnd).toContain('[DONE]');
  await page.waitForFunction(async () => (await navigator.serviceWorker.getRegistration())?.active);
  await siteReady(page);
  await ask(page);
  const updateOffered = await page.evaluate(
    () => document.querySelector<HTMLElement & { readonly tabserve: Tabserve }>('chat-app')?.tabserve.updateAvailable,
  );
  expect(updateOffered).toBe(false);
  await expect(page.getByText('A new version of this page is available.')).toHaveCount(0);
});
