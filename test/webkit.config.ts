import { defineConfig } from '@playwright/test';
import chromium from './playwright.config.ts';

/** What must also hold in WebKitGTK, which has no WebGPU. */
export default defineConfig(chromium, { testMatch: ['webkit/**/*.spec.ts'] });
