/**
 * Resolves when requests of this page reach a service worker: at once but on a first visit and after a reload that went
 * past the cache. `ready` waits for the engine too, without which models can be listed and failures be looked at.
 * Stays pending where there never is one; the endpoint's status says why.
 */
export async function serviceWorkerInCharge(): Promise<void> {
  const { serviceWorker } = navigator;
  if (serviceWorker?.controller) return;
  await new Promise((resolve) => serviceWorker?.addEventListener('controllerchange', resolve, { once: true }));
}
