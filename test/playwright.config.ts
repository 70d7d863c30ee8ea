import { defineConfig, type PlaywrightTestConfig } from '@playwright/test';
import { findBrowser } from '../src/command-line/browser/find-browser.ts';
import { SOFTWARE_GPU_FLAGS } from '../src/command-line/browser/software-gpu-flags.ts';

/** Options of all Playwright configurations. Each sets its own output folder, because Playwright empties the folder. */
export const COMMON: PlaywrightTestConfig = {
  testDir: '.',
  workers: 1,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  // CI machines stall sometimes. A test that passes at a later try is reported as flaky.
  retries: process.env['CI'] ? 2 : 0,
  forbidOnly: Boolean(process.env['CI']),
  reporter: process.env['CI'] ? 'list' : 'line',
  use: {
    // Set by `webServer.wait` below. Each run has a port of its own, so that runs can be concurrent.
    baseURL: process.env['TEST_SITE_URL'] ?? '',
    launchOptions: {
      // A getter, because tools such as knip read this file before `npm test -- --install` has installed a browser.
      get executablePath() {
        return findBrowser().path;
      },
      args: SOFTWARE_GPU_FLAGS,
    },
    // Screenshots and snapshots during a test take a quarter of the CPU time. A failed test has a screenshot of its
    // end; `--trace on` records everything.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
    screenshot: 'only-on-failure',
  },
  webServer: {
    command: 'npx tsx support/sites/serve-test-site.ts',
    // The server builds the site first.
    timeout: 180_000,
    // Tests that need a copy of the site read the folder.
    wait: { stdout: /Test site at (?<test_site_url>\S+) from (?<test_site_folder>.+)/ },
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5000 },
  },
};

const specs = (...names: readonly string[]): string[] => names.map((name) => `browser/${name}.spec.ts`);

/** Tests that wait for timers while the CPU is idle, so that they can run beside others. */
const IDLE = specs(
  'engine/gpu-crash',
  'engine/blocked-engine',
  'engine/long-load',
  'library/library',
  'lifecycle/blocked-database',
  'lifecycle/cleared-data',
  'lifecycle/stopped-tabs',
);

/**
 * Tests that wait for downloads, workers and processes as much as they compute, and tests with their own contexts or
 * engines: each of those would make the next test load the model again if it ran between tests that share one.
 */
const WAITING = specs(
  'appearance/layout-shift',
  'appearance/settings',
  'chat/in-folder',
  'chat/search',
  'command-line/ask',
  'command-line/bridge',
  'developers/trace',
  'engine/hostile-tokenizer',
  'lifecycle/bypassed-page',
  'lifecycle/database',
  'lifecycle/frozen-tabs',
  'lifecycle/no-room',
  'lifecycle/offline',
  'lifecycle/overlapping-update',
  'lifecycle/page-status',
  'lifecycle/readiness',
  'models/models',
  'models/suggested-models',
);

/** Tests that use no model, or use it little, so that they keep at most one core busy. */
const SCREENS = specs(
  'appearance/accessibility',
  'attachments/counted-files',
  'attachments/left-before-sent',
  'chat/ask-another',
  'chat/failed-actions',
  'chat/hostile-answers',
  'chat/list',
  'appearance/look',
  'appearance/screens',
  'chat/palette',
  'chat/print',
  'chat/scripted',
  'chat/speed',
  'appearance/starters',
  'chat/titles',
  'appearance/touch',
  'chat/transfer',
  'appearance/gallery',
  'developers/request-log',
  'documents/archive-check',
  'models/catalogue',
  'tools/consent',
  'tools/javascript-tool',
  'tools/tools',
  'privacy/try-to-leak',
  'privacy/upstream-key',
  'privacy/upstreams',
);

/** Tests of one walk through every subsystem, which `npm test` runs. They share loaded models as far as they can. */
const CORE = /@core/;

// The projects except core run concurrently. When one ends, another one gets its worker, so that two cores stay busy
// until the end. Tests that compute all the time come last.
export default defineConfig(COMMON, {
  outputDir: '../test-results/chromium',
  workers: 4,
  projects: [
    { name: 'core', testMatch: ['browser/**/*.spec.ts', 'pocket/**/*.spec.ts'], grep: CORE, workers: 2 },
    { name: 'idle', testMatch: IDLE, grepInvert: CORE, workers: 1 },
    { name: 'waiting', testMatch: WAITING, grepInvert: CORE, workers: 2 },
    { name: 'screens', testMatch: SCREENS, grepInvert: CORE, workers: 2 },
    {
      name: 'chromium',
      testMatch: ['browser/**/*.spec.ts', 'pocket/**/*.spec.ts'],
      testIgnore: [...IDLE, ...WAITING, ...SCREENS],
      grepInvert: CORE,
      workers: 2,
    },
  ],
});
