import { defineConfig } from '@playwright/test';
import { COMMON } from './playwright.config.ts';

// One example is built while another one answers.
export default defineConfig({
  ...COMMON,
  outputDir: '../test-results/examples',
  testMatch: 'examples/**/*.spec.ts',
  globalSetup: './examples/install-examples.ts',
  webServer: [],
  fullyParallel: true,
  workers: 2,
  // A bound for what hangs: on a busy machine a bundler takes minutes.
  timeout: 600_000,
});
