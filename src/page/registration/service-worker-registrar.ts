import type { ApiError } from '../../shared/api-error.ts';
import type { PolicyViolations } from '../../shared/security/policy-violations.ts';
import { withAbort } from '../../shared/timeout.ts';
import type { Adoption } from './adopt-newer-worker.ts';
import { askVersion, type AskVersion } from './ask-version.ts';
import { scriptFailure } from './script-failure.ts';
import { BypassWatch } from './bypass-watch.ts';
import type { ResolvedOptions } from '../register-options.ts';
import { findRegistration, RegistrationWatch } from './registration-watch.ts';
import { takeControl, type Control } from './take-control.ts';

export interface ServiceWorkerRegistrarOptions extends Pick<
  ResolvedOptions,
  | 'serviceWorker'
  | 'serviceWorkerType'
  | 'scope'
  | 'basePath'
  | 'registerServiceWorker'
  | 'hasOwnRegistration'
  | 'autoUpdate'
> {
  /**
   * Called when a newer build was installed, or was activated by another tab, and this page should be reloaded to use
   * it.
   */
  readonly onUpdate: () => void;
  /** Called when a newer build with other options has taken over, which this page can use without a reload. */
  readonly onAdopted: () => void;
  /** Called with a sentence for the site's developer if a newer build does not take over. */
  readonly onWarning: (warning: string) => void;
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

// Few pages ever find a newer service worker.
const loadAdoption = () => import('./adopt-newer-worker.ts');

/** Handles a rejection that only says that the page has ended. */
const ignore = () => {};

/** Registers the service worker, makes it control this page, and switches to newer builds. */
export class ServiceWorkerRegistrar {
  readonly #options: ServiceWorkerRegistrarOptions;
  #registration: Promise<ServiceWorkerRegistration> | null = null;
  readonly #watch: RegistrationWatch;
  readonly #bypass: BypassWatch;
  readonly #replies = new WeakMap<ServiceWorker, ReturnType<AskVersion>>();
  readonly #adoptions = new WeakMap<ServiceWorker, Promise<Adoption>>();

  constructor(options: ServiceWorkerRegistrarOptions) {
    this.#options = options;
    const { onLost, onReplaced, onBypass, signal } = options;
    const onReplacedHere = (registration: ServiceWorkerRegistration) => {
      this.#registration = Promise.resolve(registration);
      onReplaced();
    };
    const onLostHere = () => {
      this.#registration = null;
      onLost();
    };
    this.#watch = new RegistrationWatch(
      {
        onUpdate: (registration) => void this.#waits(registration).catch(ignore),
        onTakenOver: (registration) => void this.#tookOver(registration).catch(ignore),
        onLost: onLostHere,
        onReplaced: onReplacedHere,
      },
      signal,
    );
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
    const { serviceWorker, basePath, violations, signal } = this.#options;
    const registered = this.register();
    const control = await this.#forgetFailure(
      registered.then((found) => takeControl(found, serviceWorker.href, basePath, this.askVersion, violations, signal)),
    );
    this.#bypass.begin(control.basePath);
    const adoption = await this.#adopt(await registered);
    return 'warning' in adoption ? { ...control, warning: adoption.warning } : control;
  }

  /** Returns a sentence for the site's developer if a service worker of the site lost pages to this one; else null. */
  async findWiderWorker(): Promise<string | null> {
    const { scope } = await this.register();
    const { findWiderWorker } = await import('./find-wider-worker.ts');
    return findWiderWorker(scope, this.askVersion);
  }

  /**
   * Lets a newer service worker with other options take over, see {@link adoptNewerWorker}. Called once per newer
   * worker, however often this is.
   */
  async #adopt(registration: ServiceWorkerRegistration): Promise<Adoption> {
    const { autoUpdate, signal } = this.#options;
    const newer = registration.installing ?? registration.waiting;
    if (newer === null || registration.active === null) return { outcome: 'none' };
    const known = this.#adoptions.get(newer);
    if (known) return known;
    const adoption = loadAdoption().then(({ adoptNewerWorker }) =>
      adoptNewerWorker(registration, this.askVersion, autoUpdate, signal),
    );
    this.#adoptions.set(newer, adoption);
    return adoption;
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
      const controlled = withAbort(changed, this.#options.signal);
      const { askToTakeOver } = await loadAdoption();
      void askToTakeOver(registration, controlled);
      await controlled;
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
    await this.#refuseForeignWorker();
    let registration: ServiceWorkerRegistration;
    try {
      const options = { type, ...(scope && { scope: scope.href }) };
      registration = await registerServiceWorker(serviceWorker, options);
    } catch (thrown) {
      throw await scriptFailure({ kind: 'service worker', script: serviceWorker.href, thrown, violations });
    }
    // The engine gets the options of the active service worker, so it must not be started before the right one is active.
    await this.#adopt(registration);
    this.#watch.watch(registration);
    return registration;
  }

  /** @throws ApiError `engine_unavailable` if registering would replace a service worker of the site. */
  async #refuseForeignWorker(): Promise<void> {
    const { serviceWorker, scope = new URL('./', serviceWorker), hasOwnRegistration } = this.#options;
    if (hasOwnRegistration) return;
    const registration = await findRegistration(scope.href);
    const { active = null, waiting = null, installing = null } = registration ?? {};
    const others = [active, waiting, installing].flatMap((worker) =>
      worker === null || worker.scriptURL === serviceWorker.href ? [] : [worker],
    );
    if (others.length === 0) return;
    const { refuseForeignWorker } = await import('./refuse-foreign-worker.ts');
    await refuseForeignWorker(others, this.askVersion);
  }

  /** Handles that a newer service worker is waiting. */
  async #waits(registration: ServiceWorkerRegistration): Promise<void> {
    const adoption = await this.#adopt(registration);
    if ('warning' in adoption) this.#options.onWarning(adoption.warning);
    if (adoption.outcome === 'none' || adoption.outcome === 'waits') this.#options.onUpdate();
  }

  /** Handles that a newer service worker has taken over. */
  async #tookOver({ active }: ServiceWorkerRegistration): Promise<void> {
    const { autoUpdate, onAdopted, onUpdate } = this.#options;
    const adoption = active && (await this.#adoptions.get(active));
    if (autoUpdate && adoption && adoption.outcome !== 'none') onAdopted();
    else onUpdate();
  }
}
