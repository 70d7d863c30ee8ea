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

/** Milliseconds after which a waiting worker is told again to take over: browsers stop one that waits for minutes. */
const REMINDER_INTERVAL = 60_000;

export interface ServiceWorkerRegistrarOptions extends Pick<
  ResolvedOptions,
  'serviceWorker' | 'serviceWorkerType' | 'scope' | 'basePath'
> {
  /** A newer build has been installed, or has taken over at another tab's wish. */
  readonly onUpdate: () => void;
  /** The service worker is no longer registered: {@link ServiceWorkerRegistrar.register} does it anew. */
  readonly onLost: () => void;
  /** Requests of this page have begun to go past the service worker; the error says what to do. */
  readonly onBypass: (error: ApiError) => void;
  readonly violations: PolicyViolations;
  /** Ends everything. */
  readonly signal: AbortSignal;
}

/** Registers the service worker, sees to it that it serves this page, and switches to newer builds. */
export class ServiceWorkerRegistrar {
  readonly #options: ServiceWorkerRegistrarOptions;
  #registration: Promise<ServiceWorkerRegistration> | null = null;
  readonly #watch: RegistrationWatch;
  readonly #bypass: BypassWatch;
  readonly #replies = new WeakMap<ServiceWorker, ReturnType<AskVersion>>();

  constructor(options: ServiceWorkerRegistrarOptions) {
    this.#options = options;
    const { onUpdate, onLost, onBypass, signal } = options;
    const onReplaced = (registration: ServiceWorkerRegistration) => {
      this.#registration = Promise.resolve(registration);
    };
    const onLostHere = () => {
      this.#registration = null;
      onLost();
    };
    this.#watch = new RegistrationWatch({ onUpdate, onLost: onLostHere, onReplaced }, signal);
    this.#bypass = new BypassWatch(onBypass, signal);
  }

  /**
   * Registers, once; after a failure the next call tries again.
   * @throws ApiError `engine_unavailable` with a sentence that says what is wrong with the script.
   */
  register(): Promise<ServiceWorkerRegistration> {
    return (this.#registration ??= this.#forgetFailure(this.#register()));
  }

  /**
   * Resolves when requests of this page reach the registered service worker, and it is of this build.
   * @throws ApiError `engine_unavailable` that says what is in the way.
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

  /**
   * What a service worker says of itself. It is asked once, however many want to know it: as long as it lives it would say
   * the same. One that was silent is asked anew.
   */
  readonly askVersion: AskVersion = (worker) => {
    const asked = this.#replies.get(worker);
    if (asked) return asked;
    const reply = askVersion(worker, this.#options.signal);
    this.#replies.set(worker, reply);
    const forget = () => this.#replies.delete(worker);
    reply.then((said) => said ?? forget(), forget);
    return reply;
  };

  /** Looks at once whether the service worker is still registered. */
  look(): Promise<void> {
    return this.#watch.look();
  }

  /** Lets the newer build take over once no answer is being given, then reloads the page. */
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

  /** A registration that did not come to anything may be gone: the next attempt begins with it. */
  async #forgetFailure<Result>(attempt: Promise<Result>): Promise<Result> {
    try {
      return await attempt;
    } catch (thrown) {
      this.#registration = null;
      throw thrown;
    }
  }

  async #register(): Promise<ServiceWorkerRegistration> {
    const { serviceWorker, serviceWorkerType: type, scope, violations } = this.#options;
    try {
      const options = { type, ...(scope && { scope: scope.href }) };
      const registration = await navigator.serviceWorker.register(serviceWorker.href, options);
      this.#watch.watch(registration);
      return registration;
    } catch (thrown) {
      throw await explainScriptFailure({ kind: 'service worker', script: serviceWorker.href, thrown, violations });
    }
  }
}
