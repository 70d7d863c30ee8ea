/** Things that a working browser can start for any site. */
export type Startable = 'page' | 'dedicated worker' | 'shared worker' | 'service worker' | 'graphics adapter';

/**
 * Resolves when the thing has started on the control site.
 * @throws Error if another page is shown, or there is no GPU adapter.
 */
export async function startControl(origin: string, what: Startable): Promise<void> {
  if (location.origin !== origin) throw new Error(`At ${location.href}.`);
  if (what === 'dedicated worker') {
    const worker = new Worker('/dedicated-worker.js');
    await new Promise((resolve) => worker.addEventListener('message', resolve, { once: true }));
  } else if (what === 'shared worker') {
    const { port } = new SharedWorker('/shared-worker.js');
    port.start();
    await new Promise((resolve) => port.addEventListener('message', resolve, { once: true }));
  } else if (what === 'service worker') {
    await navigator.serviceWorker.register('/service-worker.js');
    await navigator.serviceWorker.ready;
  } else if (what === 'graphics adapter' && !(await navigator.gpu?.requestAdapter())) {
    throw new Error('No adapter.');
  }
}
