import { defineConfig } from '@playwright/test';
import { COMMON } from './playwright.config.ts';

// One example is built while another one answers.
export default defineConfig({
  ...COMMON,
  testMatch: 'examples/**/*.spec.ts',
  globalSetup: './examples/install-examples.ts',
  webServer: [],
  fullyParallel: true,
  workers: 2,
  timeout: 240_000,
});
