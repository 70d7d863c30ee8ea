import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium, type BrowserContext, type Page } from '@playwright/test';
import { findBrowser } from '../../../src/command-line/browser/find-browser.ts';
import { SOFTWARE_GPU_FLAGS } from '../../../src/command-line/browser/software-gpu-flags.ts';
import { siteReady } from '../pages/site-page.ts';
import { test as base } from '../sites/word-site.ts';

export interface FreezableTabs {
  /** The only context of a browser that the test does not share. Its pages have no base address. */
  readonly context: BrowserContext;
  /** Opens the built site in a new tab in the foreground, and waits until the built-in model can answer. */
  readonly openTab: () => Promise<Page>;
}

/**
 * Tests with tabs that can be frozen. Chromium freezes only hidden pages, and Playwright keeps all pages of the
 * browsers that it starts focused. So this fixture starts the browser and connects Playwright to it.
 */
export const test = base.extend<FreezableTabs>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright demands a pattern.
  context: async ({}, use) => {
    const profile = mkdtempSync(join(tmpdir(), 'tabserve-profile-'));
    const flags = ['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`, ...SOFTWARE_GPU_FLAGS];
    const process = spawn(findBrowser().path, [...flags, 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'] });
    try {
      const browser = await chromium.connectOverCDP(await debuggerAddress(process.stderr), { noDefaults: true });
      await use(browser.contexts()[0]!);
      await browser.close();
    } finally {
      if (process.exitCode === null && process.kill()) await once(process, 'exit');
      // The browser's other processes may still be writing there. If the folder cannot be deleted, the test does not
      // fail.
      await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }).catch(() => {});
    }
  },
  openTab: async ({ context, baseURL }, use) => {
    await use(async () => {
      const page = await context.newPage();
      await page.goto(baseURL!);
      await siteReady(page);
      return page;
    });
  },
});

async function debuggerAddress(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(output)) {
    const [address] = /ws:\S+/.exec(line) ?? [];
    if (address) return address;
  }
  throw new Error('The browser ended before it told where its debugger listens.');
}

/**
 * Freezes a tab, as browsers do with tabs that were hidden for minutes.
 * @returns a function that resumes and shows it.
 */
export async function freeze(page: Page): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setWebLifecycleState', { state: 'frozen' });
  return async () => {
    await session.send('Page.setWebLifecycleState', { state: 'active' });
    await session.detach();
    await page.bringToFront();
  };
}
