import { test as base, type Page } from '@playwright/test';
import { openSite } from './site-page.ts';

/**
 * Tests that ask one page one after the other, and so load the model once. For those that neither need a browser in
 * which nothing has happened yet nor leave anything behind; after one that fails, the next gets a new page.
 */
export const test = base.extend<object, { site: Page }>({
  site: [
    async ({ browser }, use, { project }) => {
      const context = await browser.newContext({ baseURL: project.use.baseURL! });
      const page = await context.newPage();
      await openSite(page);
      await use(page);
      await context.close();
    },
    { scope: 'worker' },
  ],
});
