/** Milliseconds, without those for which the page is stopped, for which it need not be controlled. */
const START_TIME = 30_000;

/** Milliseconds between two looks at the controller. */
const INTERVAL = 50;

export const isControlled = () => navigator.serviceWorker.controller !== null;

export const pause = (time: number) => new Promise((resolve) => setTimeout(resolve, time));

/**
 * Resolves once a page of this origin is controlled by a service worker, or should have been; immediately on other
 * pages.
 */
export async function beServed(origin: string): Promise<void> {
  for (let waited = 0; waited < START_TIME; waited += INTERVAL) {
    if (location.origin !== origin || isControlled()) return;
    await pause(INTERVAL);
  }
}
