import { test as base } from '@playwright/test';
import { serveBuiltSite } from '../../../src/command-line/http-server/serve-built-site.ts';
import { buildWordSite } from './build-word-site.ts';

/**
 * For tests of what tabs, service worker and engine worker do, whatever the engine computes. `baseURL` is a site whose
 * engine worker has the word engine in place of WebLLM; its queue, its ports, its locks and everything outside it are
 * real. Loading a model then costs nothing, where the built-in one costs five seconds of processor time.
 */
export const test = base.extend<{ baseURL: string }, { wordSite: string }>({
  wordSite: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright demands a pattern.
    async ({}, use) => {
      const site = await serveBuiltSite({ folder: await buildWordSite() });
      await use(site.url);
      await site.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: async ({ wordSite }, use) => use(wordSite),
});
