import { defineConfig } from '@playwright/test';
import { COMMON } from './playwright.config.ts';
import { answerForFirefox } from './support/browsers/firefox-driver.ts';
import { firefoxLaunchOptions } from './support/browsers/firefox-launch-options.ts';

answerForFirefox();

/** Tests that wait most of their time for Firefox to find its service worker idle. */
const WAITING = ['firefox/keep-awake.spec.ts', 'firefox/service-worker-idle.spec.ts'];

/** The browser tests tagged `@firefox`, and those of what only Firefox does, in the system's own Firefox. */
export default defineConfig(COMMON, {
  outputDir: '../test-results/firefox',
  // Two cores are half idle with two: between its tests Firefox waits more than it computes.
  workers: 3,
  projects: [
    // First, since the longest of all is among them.
    { name: 'waiting', testMatch: WAITING },
    { name: 'firefox', testMatch: ['browser/**/*.spec.ts', 'firefox/**/*.spec.ts'], testIgnore: WAITING },
  ],
  grep: [/@firefox/, /firefox\/[^ ]*\.spec\.ts/],
  use: {
    browserName: 'firefox',
    // Playwright's name for a Firefox that it did not build itself: driven over WebDriver BiDi.
    channel: 'moz-firefox',
    launchOptions: firefoxLaunchOptions(),
  },
});
