import type { ApiError } from '../../shared/api-error.ts';
import type { TakeOverMessage } from '../../shared/messaging/messages.ts';
import type { PolicyViolations } from '../../shared/security/policy-violations.ts';
import { withAbort } from '../../shared/timeout.ts';
import { askVersion, type AskVersion } from './ask-version.ts';
import { explainScriptFailure } from './explain-script-failure.ts';
import { BypassWatch } from './bypass-watch.ts';
import type { ResolvedOptions } from '../register-options.ts';
import { RegistrationWatch } from './registration-watch.ts';
import { takeControl, type Control } from './take-control.ts';

/**
 * Milliseconds after which `SKIP_WAITING` is sent again: the browser may have stopped the worker, which then has
 * forgotten the first message.
 */
const REMINDER_INTERVAL = 60_000;

export interface ServiceWorkerRegistrarOptions extends Pick<
  ResolvedOptions,
  'serviceWorker' | 'serviceWorkerType' | 'scope' | 'basePath' | 'registerServiceWorker'
> {
  /** Called when a newer build was installed, or was activated by another tab. */
  readonly onUpdate: () => void;
  /**
   * Called when the service worker is no longer registered; {@link ServiceWorkerRegistrar.register} registers it again.
   */
  readonly onLost: () => void;
  /** Called when another tab has registered the service worker again. */
  readonly onReplaced: () => void;
  /** Called when requests of this page bypass the service worker; the error says what to do. */
  readonly onBypass: (error: ApiError) => void;
  readonly violations: PolicyViolations;
  readonly signal: AbortSignal;
}

/** Registers the service worker, makes it control this page, and switches to newer builds. */
export class ServiceWorkerRegistrar {
  readonly #options: ServiceWorkerRegistrarOptions;
  #registration: Promise<ServiceWorkerRegistration> | null = null;
  readonly #watch: RegistrationWatch;
  readonly #bypass: BypassWatch;
  readonly #replies = new WeakMap<ServiceWorker, ReturnType<AskVersion>>();

  constructor(options: ServiceWorkerRegistrarOptions) {
    this.#options = options;
    const { onUpdate, onLost, onReplaced, onBypass, signal } = options;
    const onReplacedHere = (registration: ServiceWorkerRegistration) => {
      this.#registration = Promise.resolve(registration);
      onReplaced();
    };
    const onLostHere = () => {
      this.#registration = null;
      onLost();
    };
    this.#watch = new RegistrationWatch({ onUpdate, onLost: onLostHere, onReplaced: onReplacedHere }, signal);
    this.#bypass = new BypassWatch(onBypass, signal);
  }

  /**
   * Registers the service worker once; after a failure the next call retries.
   * @throws ApiError `engine_unavailable` if the script cannot be registered; the message says why.
   */
  register(): Promise<ServiceWorkerRegistration> {
    return (this.#registration ??= this.#forgetFailure(this.#register()));
  }

  /**
   * Resolves when the registered service worker is of a compatible build and intercepts this page's requests.
   * @throws ApiError see {@link takeControl}.
   */
  async control(): Promise<Control> {
    const { serviceWorker, basePath, signal } = this.#options;
    const registered = this.register();
    const control = await this.#forgetFailure(
      registered.then((found) => takeControl(found, serviceWorker.href, basePath, this.askVersion, signal)),
    );
    this.#bypass.begin(control.basePath);
    return control;
  }

  /** {@link askVersion}, called once per service worker. A worker that did not reply is asked again. */
  readonly askVersion: AskVersion = (worker) => {
    const asked = this.#replies.get(worker);
    if (asked) return asked;
    const reply = askVersion(worker, this.#options.signal);
    this.#replies.set(worker, reply);
    const forget = () => this.#replies.delete(worker);
    reply.then((said) => said ?? forget(), forget);
    return reply;
  };

  /** Checks now whether the service worker is still registered. */
  checkRegistration(): Promise<void> {
    return this.#watch.poll();
  }

  /** Activates the newer build once no response is being sent, then reloads the page. */
  async applyUpdate(): Promise<void> {
    const registration = await this.register();
    if (registration.waiting) {
      const changed = new Promise((resolve) =>
        navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
      );
      const first = performance.now();
      const ask = () => {
        const message: TakeOverMessage = { type: 'SKIP_WAITING', waited: performance.now() - first };
        registration.waiting?.postMessage(message);
      };
      ask();
      const timer = setInterval(ask, REMINDER_INTERVAL);
      await withAbort(changed, this.#options.signal).finally(() => clearInterval(timer));
    }
    location.reload();
  }

  /**
   * Forgets the registration if the attempt fails, so that the next attempt registers again: the registration may be
   * gone.
   */
  async #forgetFailure<Result>(attempt: Promise<Result>): Promise<Result> {
    try {
      return await attempt;
    } catch (thrown) {
      this.#registration = null;
      throw thrown;
    }
  }

  async #register(): Promise<ServiceWorkerRegistration> {
    const { serviceWorker, serviceWorkerType: type, scope, violations, registerServiceWorker } = this.#options;
    try {
      const options = { type, ...(scope && { scope: scope.href }) };
      const registration = await registerServiceWorker(serviceWorker, options);
      this.#watch.watch(registration);
      return registration;
    } catch (thrown) {
      throw await explainScriptFailure({ kind: 'service worker', script: serviceWorker.href, thrown, violations });
    }
  }
}
