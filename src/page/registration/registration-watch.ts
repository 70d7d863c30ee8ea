export interface RegistrationEvents {
  /** A newer build has been installed, or has taken over at another tab's wish. */
  readonly onUpdate: () => void;
  /** The service worker is registered no longer. */
  readonly onLost: () => void;
  /** It was, but another tab has registered it anew, and that one serves this page. */
  readonly onReplaced: (registration: ServiceWorkerRegistration) => void;
}

/** Milliseconds between two looks whether the service worker is still registered. */
const INTERVAL = 5000;

/**
 * What becomes of the registration of this page's service worker. Where the site's data are cleared the browser takes
 * the worker from its pages at once, and they hear of it. A worker that was unregistered serves them until they are
 * closed, and no event tells, also when another tab has registered it anew: that is looked for now and then while the
 * page is visible.
 */
export class RegistrationWatch {
  readonly #events: RegistrationEvents;
  readonly #signal: AbortSignal;
  #registration: ServiceWorkerRegistration | null = null;
  /** Ends what is heard of that registration, which may be lost long before the page is closed. */
  #watched = new AbortController();
  /** Whether the registration's own worker has been in charge of this page: the next one is a newer build. */
  #served = false;
  /** Whether this browser shows the page's controller and the registration's active worker as one object, as it should. */
  #comparable = false;
  /** Looks in a row that found this page served by another worker than the registered one. */
  #astray = 0;

  /** @param signal Ends it. */
  constructor(events: RegistrationEvents, signal: AbortSignal) {
    this.#events = events;
    this.#signal = signal;
    navigator.serviceWorker.addEventListener('controllerchange', () => void this.#controllerChanged(), { signal });
    const look = () => void (document.visibilityState === 'visible' && this.look());
    document.addEventListener('visibilitychange', look, { signal });
    const timer = setInterval(look, INTERVAL);
    const end = () => {
      clearInterval(timer);
      this.#watched.abort();
    };
    signal.addEventListener('abort', end, { once: true });
  }

  /** Watches this registration from now on. */
  watch(registration: ServiceWorkerRegistration): void {
    if (registration === this.#registration) return;
    this.#watched.abort();
    this.#watched = new AbortController();
    this.#registration = registration;
    const { controller } = navigator.serviceWorker;
    this.#served = controller !== null && controller === registration.active;
    const { signal } = this.#watched;
    const watch = (worker: ServiceWorker | null) =>
      worker?.addEventListener('statechange', () => this.#workerChanged(registration, worker), { signal });
    watch(registration.installing);
    registration.addEventListener('updatefound', () => watch(registration.installing), { signal });
    if (registration.waiting && registration.active) this.#events.onUpdate();
  }

  /** Looks at once. */
  async look(): Promise<void> {
    const registration = this.#registration;
    if (registration === null) return;
    const found = await findRegistration(registration.scope);
    if (registration !== this.#registration) return;
    const { controller } = navigator.serviceWorker;
    const isServed = controller !== null && controller === found?.active;
    this.#comparable ||= isServed;
    this.#astray = this.#comparable && !isServed ? this.#astray + 1 : 0;
    // One look may fall between a worker's activation and its taking charge.
    if (found === null || this.#astray > 1) this.#lose();
  }

  async #controllerChanged(): Promise<void> {
    if (navigator.serviceWorker.controller === null) return this.#lose();
    const wasServed = this.#served;
    const registration = this.#registration;
    this.#served = true;
    if (!wasServed || registration === null) return;
    const found = await findRegistration(registration.scope);
    if (this.#signal.aborted || registration !== this.#registration) return;
    if (found === null || found === registration) return this.#events.onUpdate();
    this.watch(found);
    this.#events.onReplaced(found);
  }

  #workerChanged(registration: ServiceWorkerRegistration, worker: ServiceWorker): void {
    const isNewer = worker === registration.waiting && registration.active !== null;
    if (isNewer && registration === this.#registration) this.#events.onUpdate();
  }

  #lose(): void {
    if (this.#registration === null || this.#signal.aborted) return;
    this.#watched.abort();
    this.#registration = null;
    this.#served = false;
    this.#astray = 0;
    this.#events.onLost();
  }
}

/** @returns null where there is none, or the browser does not say. */
async function findRegistration(scope: string): Promise<ServiceWorkerRegistration | null> {
  const found = await navigator.serviceWorker.getRegistration(scope).catch(() => undefined);
  return found?.scope === scope ? found : null;
}
