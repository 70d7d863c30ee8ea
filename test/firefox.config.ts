import { defineConfig } from '@playwright/test';
import { COMMON } from './playwright.config.ts';
import { answerForFirefox } from './support/browsers/firefox-driver.ts';
import { firefoxLaunchOptions } from './support/browsers/firefox-launch-options.ts';

answerForFirefox();

/** Tests that mostly wait for Firefox's idle timeout of service workers. */
const WAITING = ['firefox/keep-awake.spec.ts', 'firefox/service-worker-idle.spec.ts'];

/**
 * Tests with their own browser contexts. Each would make the next test load the model again if it ran between tests
 * that share one.
 */
const OWN_CONTEXTS = [
  'browser/appearance/{look,settings,touch}.spec.ts',
  'browser/chat/{list,search}.spec.ts',
  'browser/documents/documents-walk.spec.ts',
  'browser/models/*.spec.ts',
  'browser/privacy/try-to-leak.spec.ts',
  'firefox/{hub,not-in-firefox,offline,reload}.spec.ts',
];

/** The browser tests tagged `@firefox` and those of `test/firefox`, in the system's Firefox. */
export default defineConfig(COMMON, {
  outputDir: '../test-results/firefox',
  // Firefox waits more than it computes, so two workers would leave two cores half idle.
  workers: 3,
  projects: [
    // First, because it contains the longest test.
    { name: 'waiting', testMatch: WAITING },
    { name: 'contexts', testMatch: OWN_CONTEXTS },
    {
      name: 'firefox',
      testMatch: ['browser/**/*.spec.ts', 'firefox/**/*.spec.ts'],
      testIgnore: [...WAITING, ...OWN_CONTEXTS],
    },
  ],
  grep: [/@firefox/, /firefox\/[^ ]*\.spec\.ts/],
  use: {
    browserName: 'firefox',
    // Playwright's name for a Firefox that it did not build, which it controls by WebDriver BiDi.
    channel: 'moz-firefox',
    launchOptions: firefoxLaunchOptions(),
  },
});
