import { test as base, type BrowserContext } from '@playwright/test';
import { launchOptionsWithoutGpu } from '../browsers/without-gpu.ts';

/**
 * Tests of specimens that share a browser context without a GPU and with reduced motion. In a separate context, each
 * test would load and compile the gallery's scripts again, which takes longer than most of these tests. Specimens leave
 * no data: their storage is in memory, or is emptied when the next one opens.
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
