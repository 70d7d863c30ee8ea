import { defineConfig, type PlaywrightTestConfig } from '@playwright/test';
import { findBrowser } from '../src/command-line/browser/find-browser.ts';
import { SOFTWARE_GPU_FLAGS } from '../src/command-line/browser/software-gpu-flags.ts';

/** What the tests of every browser have in common. Each has a folder of its own for results, which Playwright empties as it begins. */
export const COMMON: PlaywrightTestConfig = {
  testDir: '.',
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
    // Pictures and copies of every page, taken as a test runs, would cost a quarter of all processor time, and what fails
    // is shown by a picture of its end. `--trace on` has them for who looks into one test.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
    screenshot: 'only-on-failure',
  },
  webServer: {
    command: 'npx tsx support/sites/serve-test-site.ts',
    // It builds the site first.
    timeout: 180_000,
    // Who wants a copy of its own takes the folder.
    wait: { stdout: /Test site at (?<test_site_url>\S+) from (?<test_site_folder>.+)/ },
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5000 },
  },
};

const specs = (...names: readonly string[]): string[] => names.map((name) => `browser/${name}.spec.ts`);

/** Tests that wait most of their time: for a device, an idle browser, a limit of time, a slow transfer; and some more, so that no lane ends long before the others. */
const WAITING = specs(
  'command-line/ask',
  'lifecycle/blocked-database',
  'engine/blocked-engine',
  'appearance/settings',
  'lifecycle/cleared-data',
  'engine/gpu-crash',
  'engine/hostile-tokenizer',
  'library/library',
  'engine/long-load',
  'models/models',
  'lifecycle/overlapping-update',
  'lifecycle/page-status',
  'lifecycle/readiness',
  'lifecycle/stopped-tabs',
  'models/suggested-models',
);

/** Tests that load no model, or only ask it a little, and so keep one core busy at most. */
const SCREENS = specs(
  'appearance/accessibility',
  'chat/hostile-answers',
  'chat/list',
  'appearance/look',
  'appearance/screens',
  'chat/palette',
  'chat/scripted',
  'chat/speed',
  'appearance/starters',
  'chat/titles',
  'appearance/touch',
  'chat/transfer',
  'appearance/gallery',
  'tools/javascript-tool',
  'appearance/layout-shift',
  'tools/tools',
  'privacy/upstreams',
);

/** Tests of one walk through every subsystem, which `npm test` runs. They share loaded models as far as they can. */
const CORE = /@core/;

// Each project but core does one test after the other, beside the others: two cores are busy, and none of the tests that
// load a model and answer all the time meets another one of them.
export default defineConfig(COMMON, {
  outputDir: '../test-results/chromium',
  workers: 3,
  projects: [
    { name: 'core', testMatch: ['browser/**/*.spec.ts', 'pocket/**/*.spec.ts'], grep: CORE, workers: 2 },
    {
      name: 'chromium',
      testMatch: ['browser/**/*.spec.ts', 'pocket/**/*.spec.ts'],
      testIgnore: [...WAITING, ...SCREENS],
      grepInvert: CORE,
      workers: 1,
    },
    { name: 'screens', testMatch: SCREENS, grepInvert: CORE, workers: 1 },
    { name: 'waiting', testMatch: WAITING, grepInvert: CORE, workers: 1 },
  ],
});
