import { ApiError } from '../shared/api-error.ts';
import { DEFAULT_BASE_PATH } from '../shared/http/base-path.ts';
import type { EngineCallName, EngineCalls } from '../shared/engine/engine-calls.ts';
import type { EngineConnection, EnginePort } from '../shared/messaging/engine-connection.ts';
import { GPU_RETRY_DELAYS } from '../shared/engine/engine-errors.ts';
import { PolicyViolations, type PolicyViolation } from '../shared/security/policy-violations.ts';
import { sleep, withTimeout } from '../shared/timeout.ts';
import { joinTrace } from '../shared/trace/trace.ts';
import { logError } from './console/log-error.ts';
import { offerConsoleTrace } from './console/console-trace.ts';
import { loadHubParts } from './engine/load-hub-parts.ts';
import { EngineSession } from './engine/engine-session.ts';
import { forgetGpu } from './engine/known-gpu.ts';
import { explainBlockedRequest } from './registration/explain-blocked-request.ts';
import { moveToNewLocks } from './engine/move-to-new-locks.ts';
import { provideEnginePort } from './engine/provide-engine-port.ts';
import { keepServiceWorkerAlive } from './registration/keep-service-worker-alive.ts';
import type { PageStatus } from './status/page-status.ts';
import type { ResolvedOptions } from './register-options.ts';
import { createResumingFetch } from './fetch/resuming-fetch.ts';
import { reportFreeze } from './registration/report-freeze.ts';
import { ServiceWorkerRegistrar } from './registration/service-worker-registrar.ts';
import { StatusTracker } from './status/status-tracker.ts';
import { failureStrings } from './strings/failure-strings.ts';
import type { Tabserve } from './tabserve.ts';
import { watchStorage } from './status/watch-storage.ts';

/**
 * Delays in milliseconds before the page retries automatically after a failure that may pass. Each delay is used once;
 * then the page stops retrying.
 */
const RETRY_DELAYS: readonly number[] = [10_000, 30_000, 90_000];

/**
 * Milliseconds between attempts to register a lost service worker again: the first delay, and the limit of its growth.
 */
const RECOVERY_DELAY = { first: 2000, longest: 60_000 };

/**
 * Milliseconds that a page waits for the new lock manager after the site's data were cleared: first before it starts
 * again, then while it already answers requests. On a busy machine the clearing can take many seconds.
 */
const CLEARING_TIME = { first: 1000, longest: 30_000 };

/** Milliseconds for the engine to say whether it knows a stream. After them the service worker is asked. */
const REPLY_TIMEOUT = 3000;

/** One attempt to start the service worker and the engine. */
interface Attempt {
  readonly connection: Promise<EngineConnection>;
  /** Resolves when the engine is connected and the service worker controls this page; rejects when either fails. */
  readonly ready: Promise<void>;
}

/** Starts the service worker and the engine, and restarts them when they fail. */
export class RegisteredTabserve extends EventTarget implements Tabserve {
  readonly fetch: typeof globalThis.fetch;
  readonly #registrar: ServiceWorkerRegistrar;
  readonly #options: ResolvedOptions;
  readonly #end = new AbortController();
  readonly #onDispose: () => void;
  readonly #violations: PolicyViolations;
  /** Path of the endpoint. Until the service worker has replied, it is the path in the options, or the default. */
  #basePath: string;
  #engine: EngineSession;
  #attempt: Attempt;
  /** The last attempt of {@link #recover}, which itself starts the next one. */
  #recovering: Attempt | null = null;
  readonly #tracker = new StatusTracker(() => this.dispatchEvent(new Event('statuschange')));
  #updateAvailable = false;
  #starts = 0;
  /** The last failure that the console shows. */
  #logged = '';
  /**
   * Number of consecutive automatic retries. Reset when an engine that had started dies, unless two engines in a row
   * died soon after their start.
   */
  #retries = 0;

  /**
   * Starts the endpoint.
   * @param onDispose Called by `dispose()`, after which `register()` may be called again.
   */
  constructor(options: ResolvedOptions, onDispose: () => void) {
    super();
    const { signal } = this.#end;
    this.#options = options;
    this.#basePath = options.basePath ?? DEFAULT_BASE_PATH;
    this.#onDispose = onDispose;
    this.fetch = createResumingFetch(
      () => this.#basePath,
      (streamId) => this.#cancelStream(streamId),
      (id) => withTimeout(REPLY_TIMEOUT, this.call('streams/known', { id }), true).catch(() => true),
    );
    this.#violations = new PolicyViolations(document, signal, (violation) => this.#onViolation(violation));
    this.#registrar = new ServiceWorkerRegistrar({
      ...options,
      onUpdate: () => this.#onUpdate(),
      onAdopted: () => this.#onAdopted(),
      onWarning: (warning) => this.#tracker.warn(warning),
      onLost: () => void this.#recover(),
      // The site's data may have been cleared while this page was frozen or stopped in a debugger.
      onReplaced: () => void this.#followLocks(0),
      onBypass: (error) => this.#onBypass(error),
      violations: this.#violations,
      signal,
    });
    // Must listen to `freeze` before the engine session, which may stop the engine then. Response bodies would end
    // without an error if the engine stopped first, and Chromium would not report that to the page.
    reportFreeze(signal);
    this.#engine = this.#createEngine();
    this.#attempt = this.#start();
    provideEnginePort(() => this.#findPort(), signal);
    keepServiceWorkerAlive(signal);
    watchStorage((keepsNothing) => this.#tracker.setKeepsNothing(keepsNothing), signal);
    joinTrace('page', signal);
    offerConsoleTrace(signal);
  }

  get status(): PageStatus {
    return this.#tracker.status;
  }

  get basePath(): string {
    return this.#basePath;
  }

  get updateAvailable(): boolean {
    return this.#updateAvailable;
  }

  get ready(): Promise<void> {
    return this.#attempt.ready;
  }

  async retry(): Promise<void> {
    const { status } = this;
    if (this.#end.signal.aborted) return;
    if (status.state === 'failed' && status.model !== null) {
      await this.load(status.model).catch(() => {});
      return;
    }
    if (status.state === 'failed' || status.state === 'unsupported') this.#restart();
    else await this.#registrar.checkRegistration();
    await this.ready.catch(() => {});
  }

  async load(modelId: string): Promise<void> {
    await this.call('models/load', { id: modelId });
  }

  async call<Name extends EngineCallName>(
    name: Name,
    parameters: EngineCalls[Name]['parameters'],
  ): Promise<EngineCalls[Name]['result']> {
    return this.#engine.call(await this.#connected(), name, parameters);
  }

  async askForHub(place: Element): Promise<boolean> {
    if (!loadHubParts || !this.#options.hub) return false;
    const { hub } = this.#options;
    const { askForHub, TO_HUB } = await loadHubParts();
    const isAllowed = await askForHub(hub, place, this.#end.signal);
    if (!isAllowed || this.#end.signal.aborted) return false;
    // The service worker, too, asks for another engine when the site's own one has ended.
    this.#engine.retire(TO_HUB);
    this.#engine = this.#createEngine();
    this.#attempt = this.#start();
    await this.ready.catch(() => {});
    return true;
  }

  applyUpdate(): Promise<void> {
    return this.#registrar.applyUpdate();
  }

  dispose(): void {
    if (this.#end.signal.aborted) return;
    const error = new ApiError('engine_unavailable', failureStrings.disposed);
    this.#attempt = this.#giveUp(error);
    this.#end.abort(error);
    this.#tracker.fail(error);
    this.#onDispose();
  }

  #createEngine(): EngineSession {
    const { engineWorker: script, preload, hub } = this.#options;
    return new EngineSession({
      script,
      violations: this.#violations,
      preload,
      hub,
      serviceWorker: () => this.#registrar.register(),
      askVersion: this.#registrar.askVersion,
      onHub: (state) => this.#tracker.setHub(state),
      onStatus: (status) => this.#tracker.setEngineStatus(status),
      onDeath: (error, isHopeless) => this.#onEngineDeath(error, isHopeless),
      signal: this.#end.signal,
    });
  }

  /**
   * Starts the service worker and the engine, and reports the outcome in the page's status.
   * @param settled If given, both start only after it resolves. Default: they start at once.
   * @returns the attempt, which is still in progress.
   */
  #start(settled?: Promise<unknown>): Attempt {
    this.#tracker.start();
    const number = ++this.#starts;
    // A later start may have connected first. Opening another connection would close that one.
    const connect = () =>
      this.#registrar.register().then(() => (number === this.#starts ? this.#engine.open() : this.#connected()));
    const control = async () => {
      const { basePath, models, warning } = await this.#registrar.control();
      this.#basePath = basePath;
      const { checkSiteModels } = await import('./registration/check-site-models.ts');
      const missing = await checkSiteModels(models);
      this.#tracker.warn(warning ?? missing ?? (await this.#registrar.findWiderWorker()));
    };
    return this.#follow(settled?.then(connect) ?? connect(), settled?.then(control) ?? control());
  }

  /** Starts again, in the site's new lock manager if there is one. */
  #restart(): void {
    this.#attempt = this.#start(this.#moveToNewLocks(0));
  }

  /** Registers a lost service worker again, with retries while the server is unreachable. */
  async #recover(): Promise<void> {
    const { signal } = this.#end;
    const isCleared = navigator.serviceWorker.controller === null;
    for (let delay = RECOVERY_DELAY.first; ; delay = Math.min(2 * delay, RECOVERY_DELAY.longest)) {
      const moved = this.#moveToNewLocks(isCleared ? CLEARING_TIME.first : 0);
      const attempt = this.#start(moved);
      this.#attempt = this.#recovering = attempt;
      if (!(await attempt.ready.catch(() => 'failed')))
        return isCleared && !(await moved) ? this.#followLocks(CLEARING_TIME.longest) : undefined;
      await sleep(delay, signal).catch(() => {});
      if (attempt !== this.#attempt || signal.aborted) return;
    }
  }

  /**
   * Starts again if the site has a new lock manager.
   * @param patience Milliseconds to wait for one.
   */
  async #followLocks(patience: number): Promise<void> {
    // It rejects when this page ends.
    if (await this.#moveToNewLocks(patience).catch(() => false)) this.#attempt = this.#start();
  }

  /**
   * Moves to the site's new lock manager, if there is one, and then replaces the engine, because new pages cannot see
   * its lock.
   * @param patience Milliseconds to wait for one.
   * @returns whether there was a new lock manager.
   */
  async #moveToNewLocks(patience: number): Promise<boolean> {
    const hasMoved = await moveToNewLocks(patience, this.#end.signal);
    if (!hasMoved || this.#end.signal.aborted) return false;
    this.#engine.retire(failureStrings.dataCleared);
    this.#engine = this.#createEngine();
    return true;
  }

  /** Creates an attempt that has failed, and reports the failure. */
  #giveUp(reason: ApiError): Attempt {
    return this.#follow(Promise.reject(reason), Promise.resolve());
  }

  /** Creates an attempt, reports its outcome and handles its rejections, so that none is unhandled. */
  #follow(connection: Promise<EngineConnection>, controlled: Promise<void>): Attempt {
    const ready = Promise.all([controlled, connection]).then(([done]) => done);
    const attempt: Attempt = { connection, ready };
    const serve = () => {
      this.#logged = '';
      if (attempt === this.#attempt) this.#tracker.serve();
    };
    controlled.then(serve, () => {});
    ready.catch((thrown: unknown) => {
      if (attempt === this.#attempt && !this.#end.signal.aborted) this.#fail(ApiError.from(thrown));
    });
    return attempt;
  }

  #fail(error: ApiError): void {
    this.#tracker.fail(error);
    // An earlier attempt, or the event of a blocked request, may have had the same fault.
    if (error.message !== this.#logged) logError(error.message, error.cause);
    this.#logged = error.message;
    // An unexpected error is mostly that of a part of this script that could not be fetched.
    const mayPass = error.retryAfter !== undefined || error.code === 'internal_error';
    if (mayPass && this.#attempt !== this.#recovering)
      void this.#retryLater(this.#attempt, error.code === 'gpu_device_lost');
  }

  /**
   * Retries even if this page sends no request: other tabs may serve all requests, and this page's status would stay
   * `failed`. A GPU that does not come back is given up: the page starts once more, as if there had never been one.
   */
  async #retryLater(failed: Attempt, gpuCrashed: boolean): Promise<void> {
    const delay = (gpuCrashed ? GPU_RETRY_DELAYS : RETRY_DELAYS)[this.#retries];
    if (delay !== undefined) {
      await sleep(delay, this.#end.signal).catch(() => {});
      if (failed !== this.#attempt || this.#end.signal.aborted) return;
      this.#retries++;
    } else if (gpuCrashed) {
      forgetGpu();
      this.#retries = 0;
    } else return;
    this.#restart();
  }

  #onEngineDeath(error: ApiError, isHopeless: boolean): void {
    if (!isHopeless) this.#retries = 0;
    if (isHopeless) this.#attempt = this.#giveUp(error);
    else this.#restart();
  }

  /** Returns a port to the engine for the service worker; null if this page has none to give. */
  async #findPort(): Promise<EnginePort | null> {
    const { status } = this;
    // A request of a client starts another attempt, because a page may have no button that calls `retry()`.
    if (status.state === 'failed' && status.model === null) this.#restart();
    const { ended } = await this.#connected();
    const port = await this.#engine.port();
    return port === null && ended.aborted && !this.#end.signal.aborted ? this.#findPort() : port;
  }

  /** Waits for the engine. If a newer attempt replaces the awaited one, waits for the newer one. */
  #connected(): Promise<EngineConnection> {
    const attempt = this.#attempt;
    return attempt.connection.catch((thrown: unknown) => {
      if (attempt === this.#attempt) throw thrown;
      return this.#connected();
    });
  }

  #cancelStream(streamId: string): void {
    this.#attempt.connection.then(
      (connection) => connection.post({ type: 'cancel-stream', streamId }),
      // If the engine cannot be reached, no completion is running that would have to be cancelled.
      () => {},
    );
  }

  #onViolation(violation: PolicyViolation): void {
    const error = explainBlockedRequest(violation, this.#basePath);
    // Clients repeat a request that failed, so the same error is reported only once.
    if (error !== null && this.status.message !== error.message) this.#fail(error);
  }

  /** Called when requests of this page bypass the service worker, although the engine is connected. */
  #onBypass(reason: ApiError): void {
    this.#attempt = this.#follow(this.#attempt.connection, Promise.reject(reason));
  }

  /** Called when a service worker with other options answers this page. */
  #onAdopted(): void {
    this.#updateAvailable = false;
    this.#attempt = this.#start();
  }

  #onUpdate(): void {
    this.#updateAvailable = true;
    this.dispatchEvent(new Event('updateavailable'));
  }
}
