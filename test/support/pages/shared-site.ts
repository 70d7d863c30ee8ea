/**
 * Tests that ask one page, `site`, one after the other. For those that neither need a browser in which nothing has
 * happened yet nor leave anything behind.
 */
export { test } from './shared-engine.ts';
