/**
 * Tests that use one page, `site`, one after the other. For tests that neither need an unused browser nor leave data
 * behind.
 */
export { test } from './shared-engine.ts';
