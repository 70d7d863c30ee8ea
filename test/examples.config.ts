import { defineConfig } from '@playwright/test';
import { COMMON } from './playwright.config.ts';

// Two workers: one builds an example while the other waits for an answer.
export default defineConfig({
  ...COMMON,
  outputDir: '../test-results/examples',
  testMatch: 'examples/**/*.spec.ts',
  globalSetup: './examples/install-examples.ts',
  webServer: [],
  fullyParallel: true,
  workers: 2,
  // Limits hanging tests. On a busy machine a bundler takes minutes.
  timeout: 600_000,
});
