import { withAbort, sleep } from '../../shared/timeout.ts';
import { HeadlessChromium } from './headless-chromium.ts';
import { createPageFetch, type PageFetch } from './page-fetch.ts';
import { CommandFailure } from '../run-command.ts';

export interface OpenPage {
  readonly fetch: PageFetch;
  /** Resolves when the page or its browser closes or crashes. */
  readonly gone: Promise<void>;
  close(): Promise<void>;
}

/** The used globals of the page. Declared here, because this folder is type-checked for Node, which lacks them. */
interface PageGlobals {
  readonly navigator: { readonly serviceWorker?: { readonly controller: unknown } };
}

/** Milliseconds for the service worker to control the page. Enough for software WebGPU on a busy two-core machine. */
const START_TIMEOUT = 60_000;

/** Milliseconds between two polls for the service worker. */
const POLL_INTERVAL = 50;

/**
 * Opens the site in a headless browser with software WebGPU and waits until its service worker controls the page.
 * @param url Address of the site.
 * @param browserPath The browser's executable.
 * @param signal Ends the browser if it aborts before the page is open; afterwards the caller must close it. Default:
 * opening cannot be aborted.
 */
export async function openPage(
  url: string,
  browserPath: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<OpenPage> {
  signal.throwIfAborted();
  const browser = await HeadlessChromium.launch(browserPath, signal);
  try {
    await withAbort(browser.open(url), signal);
    await untilControlled(browser, signal);
    return { fetch: createPageFetch(browser), gone: browser.gone, close: () => browser.close() };
  } catch (error) {
    await browser.close();
    signal.throwIfAborted();
    throw error;
  }
}

async function untilControlled(browser: HeadlessChromium, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT;
  const gone = browser.gone.then(() =>
    Promise.reject(new CommandFailure('The browser ended while the site was opened.')),
  );
  gone.catch(() => {});
  for (;;) {
    // Evaluation fails for a moment while the site's page replaces the empty page.
    const controlled = browser.evaluate(isControlled, null).catch(() => false);
    if (await withAbort(Promise.race([controlled, gone]), signal)) return;
    if (performance.now() > deadline) {
      throw new CommandFailure(
        `The site's service worker did not start within ${START_TIMEOUT / 1000} s: open the site in a browser and look for errors on its console.`,
      );
    }
    await sleep(POLL_INTERVAL, signal);
  }
}

/** Whether a service worker controls the page. Runs in the page. */
function isControlled(): boolean {
  return Boolean((globalThis as unknown as PageGlobals).navigator.serviceWorker?.controller);
}
