import { withAbort, sleep } from '../../shared/timeout.ts';
import { HeadlessChromium } from './headless-chromium.ts';
import { createPageFetch, type PageFetch } from './page-fetch.ts';
import { CommandFailure } from '../run-command.ts';

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

/** Milliseconds between two looks at whether the service worker has started. */
const LOOK_INTERVAL = 50;

/**
 * Opens the site in a headless browser with software WebGPU and waits until its service worker answers for it.
 *
 * @param url Address of the site.
 * @param browserPath The browser to start.
 * @param signal Ends the browser while it is being opened; an open page is for the caller to close. Default: never.
 */
export async function openPage(
  url: string,
  browserPath: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<OpenPage> {
  signal.throwIfAborted();
  const browser = await HeadlessChromium.launch(browserPath);
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
    // While the page takes the place of the empty one, there is a moment in which nothing can be called.
    const controlled = browser.evaluate(isControlled, null).catch(() => false);
    if (await withAbort(Promise.race([controlled, gone]), signal)) return;
    if (performance.now() > deadline) {
      throw new CommandFailure(
        `The site's service worker did not start within ${START_TIMEOUT / 1000} s: open the site in a browser and look for errors on its console.`,
      );
    }
    await sleep(LOOK_INTERVAL, signal);
  }
}

/** Runs in the page. */
function isControlled(): boolean {
  return Boolean((globalThis as unknown as PageGlobals).navigator.serviceWorker?.controller);
}
