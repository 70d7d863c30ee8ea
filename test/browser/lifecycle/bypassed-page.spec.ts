import { expect, type Page } from '@playwright/test';
import { ChatPage } from '../../support/pages/chat-page.ts';
import { pageStatus, siteReady } from '../../support/pages/site-page.ts';
import { test } from '../../support/sites/word-site.ts';

/**
 * Makes a page's requests bypass the service worker, which still controls the page. In Chromium this happens to a page
 * that is loaded while its service worker is being stopped.
 * @returns a function that ends it.
 */
async function bypassServiceWorker(page: Page): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setBypassServiceWorker', { bypass: true });
  return async () => void (await session.send('Network.setBypassServiceWorker', { bypass: false }));
}

/** Requests the list of models. The body is read, because the browser records a resource timing only after that. */
const requestModels = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const response = await fetch('/v1/models', { headers: { authorization: 'Bearer local' } });
    await response.text();
    return response.status;
  });

/** Keeps answers from ending, however fast the model is. @returns a function that lets them end. */
async function holdAnswers(page: Page): Promise<() => Promise<void>> {
  await page.addInitScript(() => {
    const ended = new Promise<void>((resolve) => Object.assign(window, { endAnswers: resolve }));
    const real = window.fetch.bind(window);
    window.fetch = async (input, init) => {
      const response = await real(input, init);
      if (!String(input).endsWith('v1/chat/completions')) return response;
      return new Response(response.body?.pipeThrough(new TransformStream({ flush: () => ended })), response);
    };
  });
  return () => page.evaluate(() => (Reflect.get(window, 'endAnswers') as () => void)());
}

/** Counts by the requests of the page itself: a page that reloads itself early has no event `load` before. */
function countLoads(page: Page): { loads: number } {
  const count = { loads: 0 };
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) count.loads++;
  });
  return count;
}

test('a page whose requests begin to bypass the service worker reloads when no answer runs, at most once a minute', async ({
  page,
}) => {
  const endAnswers = await holdAnswers(page);
  const chat = await ChatPage.open(page);
  await chat.send('What is the capital of France?');
  await chat.growing();
  const count = countLoads(page);
  const end = await bypassServiceWorker(page);
  expect(await requestModels(page)).toBe(404);
  const reload = page.getByRole('button', { name: 'Reload the page' });
  await expect(reload).toBeVisible();
  expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  expect(await pageStatus(page)).toMatchObject({ state: 'failed', error: { code: 'reload_required' } });
  // The answer began before the bypass, so it arrives completely and delays the reload.
  expect(count.loads).toBe(0);
  await endAnswers();
  await expect.poll(() => count.loads, { timeout: 60_000 }).toBe(1);
  // The reload did not help, so the page offers a button instead of another reload.
  await expect(reload).toBeVisible({ timeout: 60_000 });
  await requestModels(page);
  expect(count.loads).toBe(1);
  await end();
  await reload.click();
  await expect(reload).toBeHidden();
  await expect.poll(() => requestModels(page)).toBe(200);
  await expect.poll(() => chat.text()).toMatch(/\w+ \w+/);
});

test('a page whose requests bypass the service worker warns a user who has begun to type, and does not reload', async ({
  page,
}) => {
  const chat = await ChatPage.open(page);
  await chat.field.pressSequentially('Half a question');
  const count = countLoads(page);
  await bypassServiceWorker(page);
  await requestModels(page);
  await expect(page.getByRole('status').filter({ hasText: 'bypass the service worker' })).toBeVisible();
  await expect(chat.field).toHaveValue('Half a question');
  expect(count.loads).toBe(0);
});

test('a page that was loaded bypassing the service worker reloads automatically', async ({ page }) => {
  await ChatPage.open(page);
  const end = await bypassServiceWorker(page);
  const count = countLoads(page);
  await page.reload();
  await expect.poll(() => count.loads, { timeout: 60_000 }).toBe(2);
  await end();
  await page.reload();
  await siteReady(page);
});
