import { test as base, type BrowserContext, type Page } from '@playwright/test';
import { openSite } from './site-page.ts';

interface SharedEngine {
  /** A browser context of this test process. Its engine keeps the model loaded between tests. */
  readonly sharedContext: BrowserContext;
  /** A page of this context that stays open and in which the built-in model can answer. */
  readonly site: Page;
}

const longLivedPages = new WeakSet<Page>();

/** Whether a page is the shared `site`, which later tests use, too. */
export const staysOpen = (page: Page): boolean => longLivedPages.has(page);

/**
 * Tests that share an engine, so that the model is loaded once: a load takes eight seconds of CPU time, forty tokens
 * less than one. After a failed test, Playwright creates a new context.
 */
export const test = base.extend<object, SharedEngine>({
  sharedContext: [
    async ({ browser }, use, { project }) => {
      const context = await browser.newContext({ baseURL: project.use.baseURL! });
      await use(context);
      await context.close();
    },
    { scope: 'worker' },
  ],
  site: [
    async ({ sharedContext }, use) => {
      const page = await sharedContext.newPage();
      longLivedPages.add(page);
      await openSite(page);
      await use(page);
    },
    { scope: 'worker' },
  ],
});
