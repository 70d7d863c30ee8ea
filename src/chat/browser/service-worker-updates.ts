import { Workbox } from 'workbox-window';

export interface Updates extends EventTarget {
  /** True once a newer build is installed, or has taken over because another tab applied it. It never becomes false. */
  readonly available: boolean;
}

/**
 * Registers the service worker of this page with workbox-window and reports newer builds. docs/decisions/0012 says why
 * only this page uses that library. `Tabserve.applyUpdate()` applies an update.
 * @fires available - {@link available} has become true.
 */
export class ServiceWorkerUpdates extends EventTarget implements Updates {
  #available = false;

  get available(): boolean {
    return this.#available;
  }

  /**
   * Registers the service worker. Tabserve calls this again if the registration was lost, so each call creates a new
   * `Workbox`.
   * @throws any error of `navigator.serviceWorker.register()`.
   */
  readonly register = async (script: URL, options: RegistrationOptions): Promise<ServiceWorkerRegistration> => {
    const workbox = new Workbox(script.href, options);
    // Added before the call of `register()`, which fires this event if a newer worker is waiting already.
    workbox.addEventListener('waiting', this.#announce);
    // Without `immediate`, Workbox would wait for the page's `load` event. The result is undefined only at a second
    // call of the same `Workbox`.
    const registration = (await workbox.register({ immediate: true }))!;
    const { serviceWorker } = navigator;
    let isServed = serviceWorker.controller !== null && serviceWorker.controller === registration.active;
    workbox.addEventListener('controlling', () => {
      if (isServed) void this.#announceIfCurrent(registration);
      isServed = true;
    });
    return registration;
  };

  /**
   * Announces a newer build if the registration is still the same. Otherwise the controller changed for another reason:
   * the site's data were cleared, or another tab registered the worker again.
   */
  async #announceIfCurrent(registration: ServiceWorkerRegistration): Promise<void> {
    const current = await navigator.serviceWorker.getRegistration(registration.scope).catch(() => undefined);
    if (current === registration) this.#announce();
  }

  readonly #announce = (): void => {
    if (this.#available) return;
    this.#available = true;
    this.dispatchEvent(new Event('available'));
  };
}
