export interface RegistrationEvents {
  /** Called when a newer build waits. */
  readonly onUpdate: (registration: ServiceWorkerRegistration) => void;
  /** Called when a newer build controls this page. */
  readonly onTakenOver: (registration: ServiceWorkerRegistration) => void;
  /** Called when the service worker is no longer registered. */
  readonly onLost: () => void;
  /** Called when another tab has registered the service worker again, and the new registration controls this page. */
  readonly onReplaced: (registration: ServiceWorkerRegistration) => void;
}

/** Milliseconds between polls of the registration. */
const POLL_INTERVAL = 5000;

/**
 * Watches the registration of this page's service worker. Clearing the site's data causes a `controllerchange` event.
 * But after `unregister()` the old worker controls its pages until they are closed, and no event reports that, nor a
 * new registration by another tab. So the registration is also polled while the page is visible.
 */
export class RegistrationWatch {
  readonly #events: RegistrationEvents;
  readonly #signal: AbortSignal;
  #registration: ServiceWorkerRegistration | null = null;
  /** Removes the listeners of the current registration. */
  #watched = new AbortController();
  /** Whether the registration's worker has controlled this page before. If so, the next controller is a newer build. */
  #controlled = false;
  /**
   * Whether this browser represents the controller and the active worker by the same object, as the standard requires.
   * Otherwise the two cannot be compared.
   */
  #comparable = false;
  /** Number of consecutive polls in which the controller was not the registered worker. */
  #mismatches = 0;

  /** @param signal Stops watching. */
  constructor(events: RegistrationEvents, signal: AbortSignal) {
    this.#events = events;
    this.#signal = signal;
    navigator.serviceWorker.addEventListener('controllerchange', () => void this.#controllerChanged(), { signal });
    const poll = () => void (document.visibilityState === 'visible' && this.poll());
    document.addEventListener('visibilitychange', poll, { signal });
    const timer = setInterval(poll, POLL_INTERVAL);
    const end = () => {
      clearInterval(timer);
      this.#watched.abort();
    };
    signal.addEventListener('abort', end, { once: true });
  }

  /** Replaces the watched registration. */
  watch(registration: ServiceWorkerRegistration): void {
    if (registration === this.#registration) return;
    this.#watched.abort();
    this.#watched = new AbortController();
    this.#registration = registration;
    const { controller } = navigator.serviceWorker;
    this.#controlled = controller !== null && controller === registration.active;
    const { signal } = this.#watched;
    const watch = (worker: ServiceWorker | null) =>
      worker?.addEventListener('statechange', () => this.#workerChanged(registration, worker), { signal });
    watch(registration.installing);
    registration.addEventListener('updatefound', () => watch(registration.installing), { signal });
    if (registration.waiting && registration.active) this.#events.onUpdate(registration);
  }

  /** Checks the registration now. */
  async poll(): Promise<void> {
    const registration = this.#registration;
    if (registration === null) return;
    const found = await findRegistration(registration.scope);
    if (registration !== this.#registration) return;
    const { controller } = navigator.serviceWorker;
    const isControlled = controller !== null && controller === found?.active;
    this.#comparable ||= isControlled;
    this.#mismatches = this.#comparable && !isControlled ? this.#mismatches + 1 : 0;
    // One mismatch is tolerated: a worker may have been activated, but not yet have claimed this page.
    if (found === null || this.#mismatches > 1) this.#lose();
  }

  async #controllerChanged(): Promise<void> {
    if (navigator.serviceWorker.controller === null) return this.#lose();
    const wasControlled = this.#controlled;
    const registration = this.#registration;
    this.#controlled = true;
    if (!wasControlled || registration === null) return;
    const found = await findRegistration(registration.scope);
    if (this.#signal.aborted || registration !== this.#registration) return;
    if (found === null || found === registration) return this.#events.onTakenOver(registration);
    this.watch(found);
    this.#events.onReplaced(found);
  }

  #workerChanged(registration: ServiceWorkerRegistration, worker: ServiceWorker): void {
    const isNewer = worker === registration.waiting && registration.active !== null;
    if (isNewer && registration === this.#registration) this.#events.onUpdate(registration);
  }

  #lose(): void {
    if (this.#registration === null || this.#signal.aborted) return;
    this.#watched.abort();
    this.#registration = null;
    this.#controlled = false;
    this.#mismatches = 0;
    this.#events.onLost();
  }
}

/**
 * Looks up the registration of a scope.
 * @returns null if there is none, or the browser fails to look it up.
 */
export async function findRegistration(scope: string): Promise<ServiceWorkerRegistration | null> {
  const found = await navigator.serviceWorker.getRegistration(scope).catch(() => undefined);
  return found?.scope === scope ? found : null;
}
