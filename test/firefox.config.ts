import { defineConfig } from '@playwright/test';
import { COMMON } from './playwright.config.ts';
import { answerForFirefox } from './support/firefox-driver.ts';
import { firefoxLaunchOptions } from './support/firefox-launch-options.ts';

answerForFirefox();

/** The browser tests tagged `@firefox`, and those of what only Firefox does, in the system's own Firefox. */
export default defineConfig(COMMON, {
  testMatch: ['browser/**/*.spec.ts', 'firefox/**/*.spec.ts'],
  grep: [/@firefox/, /firefox\/[^ ]*\.spec\.ts/],
  use: {
    browserName: 'firefox',
    // Playwright's name for a Firefox that it did not build itself: driven over WebDriver BiDi.
    channel: 'moz-firefox',
    launchOptions: firefoxLaunchOptions(),
  },
});
