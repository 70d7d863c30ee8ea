import { test as base, type BrowserContext } from '@playwright/test';
import { launchOptionsWithoutGpu } from '../browsers/without-gpu.ts';

/**
 * Tests of specimens that share one browser context, in a browser without a GPU, with reduced motion. A context of its own
 * per test would have to fetch and compile the gallery's scripts anew, which costs more than most of these tests do. A
 * specimen keeps nothing: its storage is in memory, or emptied when the next one opens.
 */
export const test = base.extend<object, { galleryContext: BrowserContext }>({
  launchOptions: [async ({ browserName }, use) => use(launchOptionsWithoutGpu(browserName)), { scope: 'worker' }],
  galleryContext: [
    async ({ browser }, use, { project }) => {
      const context = await browser.newContext({ baseURL: project.use.baseURL!, reducedMotion: 'reduce' });
      await use(context);
      await context.close();
    },
    { scope: 'worker' },
  ],
  context: async ({ galleryContext }, use) => {
    await use(galleryContext);
    for (const page of galleryContext.pages()) await page.close();
  },
});
