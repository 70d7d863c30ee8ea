/**
 * Resolves once a service worker controls this page: immediately, except on a first visit and after a hard reload.
 * Unlike `Tabserve.ready` it does not wait for the engine. Never resolves if no service worker can run; the endpoint's
 * status says why.
 */
export async function serviceWorkerInCharge(): Promise<void> {
  const { serviceWorker } = navigator;
  if (serviceWorker?.controller) return;
  await new Promise((resolve) => serviceWorker?.addEventListener('controllerchange', resolve, { once: true }));
}
