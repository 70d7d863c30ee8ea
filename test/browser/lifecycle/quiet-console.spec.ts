import { expect, type Page } from '@playwright/test';
import { ChatPage, LONG_QUESTION } from '../../support/pages/chat-page.ts';
import { siteReady } from '../../support/pages/site-page.ts';
import { test } from '../../support/pages/shared-context.ts';

/** Firefox says so of a streamed response whose page is reloaded. */
const ENDED_BY_RELOAD = /^Failed to load ‘’\. A ServiceWorker intercepted the request/;

/** Collects what the console tells an author of this page to look at, and errors that nothing caught. */
function complaintsOf(page: Page): readonly string[] {
  const complaints: string[] = [];
  const note = (text: string) => ENDED_BY_RELOAD.test(text) || complaints.push(text);
  page.on('console', (message) => ['warning', 'error'].includes(message.type()) && note(message.text()));
  page.on('pageerror', (error) => note(error.message));
  return complaints;
}

test('a visit, a reload in the midst of an answer and the Models screen leave the console without a complaint, also where the browser does not say whether it keeps data @firefox', async ({
  page,
}) => {
  const complaints = complaintsOf(page);
  await page.addInitScript(() => {
    // Frames without an origin have no storage.
    if ('storage' in navigator)
      navigator.storage.persisted = () => Promise.reject(new TypeError('This document is not active.'));
  });
  const chat = await ChatPage.open(page);
  await chat.send(LONG_QUESTION);
  await chat.growing();
  await page.reload();
  await siteReady(page);
  await chat.answered();
  await page.goto('/#/models');
  await expect(page.getByRole('heading', { name: 'Models', exact: true })).toBeVisible();
  await expect(page.locator('storage-panel').getByRole('paragraph').first()).toBeVisible();
  expect(complaints).toEqual([]);
});
