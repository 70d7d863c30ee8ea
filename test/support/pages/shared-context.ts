import type { Page } from '@playwright/test';
import { FILE_DATABASE } from '../../../src/chat/storage/drafts/unsent-file-database.ts';
import { DRAFT_DATABASE } from '../../../src/chat/storage/drafts/draft-database.ts';
import { CHAT_DATABASE } from '../../../src/chat/storage/chat-database.ts';
import { ANSWER_DATABASE } from '../../../src/shared/storage/answer-database.ts';
import { staysOpen, test as base } from './shared-engine.ts';

/**
 * Like {@link test}, but without an open `site`, so that the engine ends with the page and the next page loads the
 * model.
 */
export const loadingTest = base.extend({
  context: async ({ sharedContext }, use) => {
    await use(sharedContext);
    for (const page of sharedContext.pages()) if (!staysOpen(page)) await page.close();
    const page = await sharedContext.newPage();
    await page.goto('/test-clients/blank.html');
    for (const database of [CHAT_DATABASE, DRAFT_DATABASE, FILE_DATABASE, ANSWER_DATABASE])
      await page.evaluate(forget, database);
    await page.close();
    await sharedContext.clearPermissions();
  },
});

/**
 * Tests of the chat page that share a browser context and an engine, whose model the open page `site` keeps loaded.
 * Each begins with no other page and without chats, drafts, stored answers or permissions of earlier tests. Not for
 * tests that change the context itself, or need an unused browser.
 */
export const test = loadingTest.extend<{ keptOpen: Page }>({
  keptOpen: [async ({ site }, use) => use(site), { auto: true }],
});

/** Runs in a page of the site that has no open database. Connections of other pages close for the deletion. */
async function forget(database: string): Promise<void> {
  localStorage.clear();
  await new Promise<void>((resolve, reject) => {
    const request = indexedDB.deleteDatabase(database);
    request.addEventListener('success', () => resolve());
    request.addEventListener('error', () => reject(request.error!));
  });
}
