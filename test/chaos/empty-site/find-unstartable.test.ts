import type * as os from 'node:os';
import { expect, test, vi } from 'vitest';
import { findUnstartable } from './find-unstartable.ts';
import { ScriptedBrowser } from '../scripted-browser.ts';

// A machine that is never busy.
vi.mock('node:os', async (original) => ({
  ...(await original<typeof os>()),
  cpus: () => [{ times: { idle: performance.now() } }],
}));

const CONTROL = 'http://127.0.0.1:1/';
const EVERYTHING = ['page', 'dedicated worker', 'shared worker', 'service worker', 'graphics adapter'];
const never = new Promise(() => {});

/** A browser that never starts the given things, each named by the function that is called on the page. */
const browserWithout = (...missing: readonly string[]) =>
  new ScriptedBrowser((method, { expression }) => {
    if (method === 'Page.navigate' && missing.includes('navigation')) return never;
    if (method === 'Runtime.evaluate' && missing.some((what) => String(expression).includes(`"${what}"`))) return never;
    return { result: {} };
  });

test.for([
  { missing: [], found: [] },
  { missing: ['dedicated worker'], found: ['dedicated worker'] },
  { missing: ['shared worker'], found: ['shared worker'] },
  { missing: ['graphics adapter'], found: ['graphics adapter'] },
  { missing: EVERYTHING, found: EVERYTHING },
  { missing: ['navigation'], found: EVERYTHING },
])('a browser without $missing is detected', async ({ missing, found }) => {
  expect(await findUnstartable(browserWithout(...missing), CONTROL, 300)).toEqual(found);
});

test('a probe that fails at first is repeated, and its page is closed in the end', async () => {
  let attempts = 0;
  const browser = new ScriptedBrowser((method) => {
    if (method !== 'Runtime.evaluate' || ++attempts > 3) return { result: {} };
    return { result: {}, exceptionDetails: { text: 'At about:blank.' } };
  });
  expect(await findUnstartable(browser, CONTROL, 5000)).toEqual([]);
  await expect.poll(() => browser.opened.map(({ state }) => state)).toEqual(['closed']);
});
