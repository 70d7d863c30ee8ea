import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { findBrowser } from '../../../src/command-line/browser/find-browser.ts';
import { withAbort } from '../../../src/shared/timeout.ts';
import type { Site } from '../../../src/command-line/http-server/serve-built-site.ts';
import { SOFTWARE_GPU_FLAGS } from '../../../src/command-line/browser/software-gpu-flags.ts';

/** A page that runs without a debugger and posts its result as JSON to the address in its parameter `report`. */
export interface PageWithoutDebugger {
  /** Serves the page. The site's Content-Security-Policy must allow the origin `reports`. */
  readonly serve: (reports: string) => Promise<Site>;
  /** Path of the page below the site's root, with its own parameters. */
  readonly path: string;
  /** Default: Chromium with {@link SOFTWARE_GPU_FLAGS}. */
  readonly browser?: BrowserWithoutDebugger;
  /** Called with each result that the page posts to {@link PARTIAL_PATH} before the final one. */
  readonly onPartial?: (report: unknown) => void;
  /** Ends the browser. Default: never. */
  readonly signal?: AbortSignal;
}

/** Path to which a page posts incomplete results. */
const PARTIAL_PATH = '/partial';

/** How to start a browser without a debugger. */
export interface BrowserWithoutDebugger {
  /** Path of the executable. */
  readonly path: string;
  /** Returns the command line arguments before the page's address; `profile` is an empty folder for the profile. */
  arguments(profile: string): readonly string[];
  /** Additional environment variables. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** @param flags Default: {@link SOFTWARE_GPU_FLAGS}. */
export function chromiumWithoutDebugger(flags: readonly string[] = SOFTWARE_GPU_FLAGS): BrowserWithoutDebugger {
  return {
    path: findBrowser().path,
    arguments: (profile) => ['--headless=new', `--user-data-dir=${profile}`, ...flags],
  };
}

/**
 * Opens a page in a browser without a debugger, and returns its report. A debugger such as Playwright's keeps service
 * workers alive, and receives every piece of every stream.
 * @throws Error if the browser ends before; the signal's reason.
 */
export async function reportWithoutDebugger(page: PageWithoutDebugger): Promise<unknown> {
  const reports = createServer();
  const reported = new Promise<unknown>((resolve, reject) => {
    reports.on('request', (request, response) => {
      const isPartial = request.url === PARTIAL_PATH;
      const received = text(request).then((body) => JSON.parse(body) as unknown);
      void received.then(isPartial ? page.onPartial : resolve, isPartial ? undefined : reject);
      // An isolated page rejects other responses of a foreign origin, even if it does not read them.
      response.setHeader('cross-origin-resource-policy', 'cross-origin').end();
    });
  });
  reports.listen(0, 'localhost');
  await once(reports, 'listening');
  const origin = `http://localhost:${(reports.address() as AddressInfo).port}`;
  const site = await page.serve(origin);
  const profile = mkdtempSync(join(tmpdir(), 'tabserve-profile-'));
  const address = new URL(page.path, site.url);
  address.searchParams.set('report', origin);
  const { path, environment, ...start } = page.browser ?? chromiumWithoutDebugger();
  const env = { ...process.env, ...environment };
  const browser = spawn(path, [...start.arguments(profile), address.href], { stdio: 'ignore', env });
  try {
    const ended = once(browser, 'exit').then(() => {
      throw new Error(`The browser ended before ${page.path} had reported.`);
    });
    return await withAbort(Promise.race([reported, ended]), page.signal ?? new AbortController().signal);
  } finally {
    if (browser.exitCode === null && browser.kill()) await once(browser, 'exit').catch(() => {});
    await site.close();
    reports.close();
    // The browser's other processes may still be writing there. If the folder cannot be deleted, the test does not
    // fail.
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }).catch(() => {});
  }
}
