import { test as base, type BrowserContext, type Page } from '@playwright/test';
import { openSite } from './site-page.ts';

interface SharedEngine {
  /** A browser context of this test process, whose engine keeps its loaded model from test to test. */
  readonly sharedContext: BrowserContext;
  /** A page of that context that stays open, where the built-in model can answer. */
  readonly site: Page;
}

const longLivedPages = new WeakSet<Page>();

/** Whether the page is a `site`, which the tests after this one use too. */
export const staysOpen = (page: Page): boolean => longLivedPages.has(page);

/**
 * Tests that share one engine, and so load the model once: a load costs some eight seconds of processor time, forty
 * tokens less than one. Playwright gives the next test a new context after one that fails.
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
