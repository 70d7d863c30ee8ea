import { defineConfig, type PlaywrightTestConfig } from '@playwright/test';
import { findBrowser } from '../src/command-line/find-browser.ts';
import { SOFTWARE_GPU_FLAGS } from '../src/command-line/software-gpu-flags.ts';

/** What the tests of every browser have in common. */
export const COMMON: PlaywrightTestConfig = {
  testDir: '.',
  outputDir: '../test-results',
  // Two cores and a software GPU: side by side tests only slow each other down.
  workers: 1,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  // CI machines stall now and then; what needed a second try is printed as flaky.
  retries: process.env['CI'] ? 2 : 0,
  forbidOnly: Boolean(process.env['CI']),
  reporter: process.env['CI'] ? 'list' : 'line',
  use: {
    // Set by `webServer.wait` below once the server runs, so any number of test runs can be side by side.
    baseURL: process.env['TEST_SITE_URL'] ?? '',
    launchOptions: { executablePath: findBrowser().path, args: SOFTWARE_GPU_FLAGS },
    trace: 'retain-on-failure',
  },
  webServer: {
    command: 'npx tsx support/serve-test-site.ts',
    wait: { stdout: /Test site at (?<test_site_url>\S+)/ },
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5000 },
  },
};

/** Tests that leave the processor to others, since they wait most of their time or ask little; half of all, by time. */
const BESIDE = [
  'ask',
  'blocked-engine',
  'chat-accessibility',
  'chat-hostile-answers',
  'chat-list',
  'chat-screens',
  'gallery',
  'gpu-crash',
  'library',
  'long-load',
  'overlapping-update',
].map((name) => `browser/${name}.spec.ts`);

export default defineConfig(COMMON, {
  workers: 2,
  projects: [
    {
      name: 'chromium',
      testMatch: ['browser/**/*.spec.ts', 'pocket/**/*.spec.ts'],
      testIgnore: BESIDE,
      workers: 1,
    },
    { name: 'beside', testMatch: BESIDE, workers: 1 },
  ],
});
