import { chromium, errors, type Page } from '@playwright/test';
import { CommandFailure } from './run-command.ts';
import { findOrInstallBrowser } from './install-browser.ts';
import { createPageFetch, type PageFetch } from './page-fetch.ts';
import { SOFTWARE_GPU_FLAGS } from './software-gpu-flags.ts';

/** The site in a headless browser of its own. */
export interface OpenPage {
  readonly fetch: PageFetch;
  /** Settles when the page or its browser has gone, whether closed or crashed. */
  readonly gone: Promise<void>;
  close(): Promise<void>;
}

/** The only global of the page used here; this folder is type-checked for Node. */
interface PageGlobals {
  readonly navigator: { readonly serviceWorker?: { readonly controller: unknown } };
}

/** Generous: software WebGPU on a busy two-core machine. */
const START_TIMEOUT = 60_000;

/**
 * Opens the site in a headless browser with software WebGPU and waits until its service worker answers for it.
 *
 * @param url Address of the site.
 * @param signal Ends the browser while it is being opened; an open page is for the caller to close. Default: never.
 */
export async function openPage(url: string, signal: AbortSignal = new AbortController().signal): Promise<OpenPage> {
  signal.throwIfAborted();
  const browser = await chromium.launch({
    executablePath: findOrInstallBrowser().path,
    args: SOFTWARE_GPU_FLAGS,
    // The commands close the browser themselves, after what they still have to say.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  const interrupt = () => void browser.close();
  signal.addEventListener('abort', interrupt);
  try {
    signal.throwIfAborted();
    const page = await browser.newPage();
    const gone = new Promise<void>((resolve) => {
      browser.once('disconnected', () => resolve());
      page.once('crash', () => resolve());
      page.once('close', () => resolve());
    });
    const fetch = await createPageFetch(page);
    await page.goto(url);
    await untilControlled(page);
    return { fetch, gone, close: () => browser.close() };
  } catch (error) {
    await browser.close();
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', interrupt);
  }
}

async function untilControlled(page: Page): Promise<void> {
  try {
    await page.waitForFunction(
      () => (globalThis as unknown as PageGlobals).navigator.serviceWorker?.controller,
      undefined,
      { timeout: START_TIMEOUT },
    );
  } catch (error) {
    if (!(error instanceof errors.TimeoutError)) throw error;
    throw new CommandFailure(
      `The site's service worker did not start within ${START_TIMEOUT / 1000} s: rebuild with \`npm run build\`, then look for errors with \`npm start\` in a browser.`,
    );
  }
}
