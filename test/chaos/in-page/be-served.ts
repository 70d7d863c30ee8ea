/** Milliseconds after the load in which the page need not be controlled yet. */
const START_TIME = 30_000;

export const isControlled = () => navigator.serviceWorker.controller !== null;

export const pause = (time: number) => new Promise((resolve) => setTimeout(resolve, time));

/**
 * Resolves once a page of this origin is controlled by a service worker, or should have been; immediately on other
 * pages.
 */
export async function beServed(origin: string): Promise<void> {
  while (location.origin === origin && !isControlled() && performance.now() < START_TIME) await pause(50);
}
