import { defineConfig } from '@playwright/test';
import { COMMON } from './playwright.config.ts';

/** Tests in WebKitGTK, which has no WebGPU. */
export default defineConfig(COMMON, { outputDir: '../test-results/webkit', testMatch: ['webkit/**/*.spec.ts'] });
