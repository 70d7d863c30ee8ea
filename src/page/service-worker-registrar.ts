import { Workbox } from 'workbox-window';
import type { ClaimMessage } from '../shared/messages.ts';

export interface ServiceWorkerRegistrarOptions {
  readonly script: string | URL;
  readonly type: WorkerType;
  readonly scope: string | undefined;
  /** A newer build has been installed, or has taken over at another tab's wish. */
  readonly onUpdate: () => void;
}

/** Registers the service worker, sees to it that it controls this page, and switches to newer builds. */
export class ServiceWorkerRegistrar {
  readonly #workbox: Workbox;
  #registered = false;
  #resolveControlled: () => void = () => {};
  #resolveRegistration: (registration: ServiceWorkerRegistration) => void = () => {};
  /** Resolves when requests of this page reach the service worker. */
  readonly controlled = new Promise<void>((resolve) => {
    this.#resolveControlled = resolve;
  });
  /** Resolves when the registration exists. */
  readonly registration = new Promise<ServiceWorkerRegistration>((resolve) => {
    this.#resolveRegistration = resolve;
  });

  constructor({ script, type, scope, onUpdate }: ServiceWorkerRegistrarOptions) {
    this.#workbox = new Workbox(new URL(script, document.baseURI).href, {
      type,
      ...(scope === undefined ? {} : { scope }),
    });
    this.#workbox.addEventListener('waiting', onUpdate);
    this.#workbox.addEventListener('controlling', ({ isUpdate }) => {
      if (isUpdate) onUpdate();
    });
  }

  /**
   * Registers; may be called again after a failure.
   * @throws the browser's own error when the script cannot be fetched or does not run.
   */
  async register(): Promise<void> {
    if (this.#registered) return;
    const registration = await this.#workbox.register({ immediate: true });
    if (!registration) throw new Error('The browser gave no registration.');
    this.#registered = true;
    this.#resolveRegistration(registration);
    void this.#takeControl(registration);
  }

  /** Lets the newer build take over once no answer is being given, then reloads the page. */
  async applyUpdate(): Promise<void> {
    const registration = await this.registration;
    if (registration.waiting) {
      const changed = new Promise((resolve) =>
        navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
      );
      this.#workbox.messageSkipWaiting();
      await changed;
    }
    location.reload();
  }

  async #takeControl(registration: ServiceWorkerRegistration): Promise<void> {
    const { serviceWorker } = navigator;
    // A hard reload leaves the page uncontrolled although the worker has long been active; a first load
    // leaves it so until the worker, once active, claims the page by itself.
    if (!serviceWorker.controller) {
      const changed = new Promise((resolve) =>
        serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
      );
      const message: ClaimMessage = { type: 'tabserve/claim' };
      registration.active?.postMessage(message);
      await changed;
    }
    this.#resolveControlled();
  }
}
