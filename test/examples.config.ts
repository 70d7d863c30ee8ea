import { defineConfig } from '@playwright/test';
import { COMMON } from './playwright.config.ts';

// Two workers: one example builds while another one answers.
export default defineConfig({
  ...COMMON,
  outputDir: '../test-results/examples',
  testMatch: 'examples/**/*.spec.ts',
  globalSetup: './examples/install-examples.ts',
  webServer: [],
  fullyParallel: true,
  workers: 2,
  // A limit for hanging tests: on a busy machine a bundler takes minutes.
  timeout: 600_000,
});
