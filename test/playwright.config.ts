import { defineConfig } from '@playwright/test';
import { findBrowser } from '../src/command-line/find-browser.ts';
import { SOFTWARE_GPU_FLAGS } from '../src/command-line/software-gpu-flags.ts';

const PORT = 4183;

export default defineConfig({
  testDir: '.',
  testMatch: ['browser/**/*.spec.ts', 'pocket/**/*.spec.ts'],
  outputDir: '../test-results',
  // Two cores and a software GPU: side by side the tests only slow each other down.
  workers: 1,
  timeout: 120_000,
  reporter: process.env['CI'] ? 'list' : 'line',
  use: {
    baseURL: `http://localhost:${PORT}`,
    launchOptions: { executablePath: findBrowser().path, args: SOFTWARE_GPU_FLAGS },
    trace: 'retain-on-failure',
  },
  webServer: {
    command: `npx tsx ../src/command-line/start.ts --port ${PORT} --quiet`,
    url: `http://localhost:${PORT}`,
    reuseExistingServer: !process.env['CI'],
  },
});
