import { ApiError } from '../shared/api-error.ts';
import type { EngineCallName, EngineCalls } from '../shared/engine-calls.ts';
import type { EngineConnection, EnginePort } from '../shared/engine-connection.ts';
import { sleep } from '../shared/timing.ts';
import { joinTrace } from '../shared/trace.ts';
import { writeToConsole } from './write-to-console.ts';
import { offerConsoleTrace } from './console-trace.ts';
import { EngineSession } from './engine-session.ts';
import { introduceEngine } from './introduce-engine.ts';
import { keepAwake } from './keep-awake.ts';
import { STARTING, engineStatus, failureStatus, type PageStatus } from './page-status.ts';
import type { ResolvedOptions } from './register-options.ts';
import { createResumingFetch } from './resuming-fetch.ts';
import { ServiceWorkerRegistrar } from './service-worker-registrar.ts';
import { failureStrings } from './strings/failures.ts';
import type { Tabserve } from './tabserve.ts';

/** Milliseconds after which a page tries again by itself what failed and may well succeed later: once each. */
const RETRY_PAUSES = [10_000, 30_000, 90_000] as const;

/** One try at bringing both workers up. */
interface Attempt {
  readonly connection: Promise<EngineConnection>;
  /** Settles when the engine is connected and the service worker controls this page, or one of the two failed. */
  readonly ready: Promise<void>;
}

/** {@link Tabserve} where there can be one: both workers, brought up together, and what became of that. */
export class RegisteredTabserve extends EventTarget implements Tabserve {
  readonly fetch = createResumingFetch((streamId) => this.#cancelStream(streamId));
  readonly #registrar: ServiceWorkerRegistrar;
  readonly #engine: EngineSession;
  readonly #end = new AbortController();
  readonly #onDispose: () => void;
  #attempt: Attempt;
  #status: PageStatus = STARTING;
  /** True when the last attempt failed: an engine may be there all the same, and its status would mislead. */
  #failed = false;
  #updateAvailable = false;
  /** How often this page has tried again by itself since its engine last lived long. */
  #retries = 0;

  /** @param onDispose Called when this page may register anew. */
  constructor(options: ResolvedOptions, onDispose: () => void) {
    super();
    const { signal } = this.#end;
    this.#onDispose = onDispose;
    this.#registrar = new ServiceWorkerRegistrar({ ...options, onUpdate: () => this.#onUpdate(), signal });
    this.#engine = new EngineSession({
      script: options.engineWorker,
      preload: options.preload,
      serviceWorker: () => this.#registrar.register(),
      onStatus: (status) => {
        if (!this.#failed) this.#setStatus(engineStatus(status));
      },
      onDeath: (error, isHopeless) => this.#onEngineDeath(error, isHopeless),
      signal,
    });
    this.#attempt = this.#start();
    introduceEngine(() => this.#findPort(), signal);
    keepAwake(signal);
    joinTrace('page', signal);
    offerConsoleTrace(signal);
  }

  get status(): PageStatus {
    return this.#status;
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
    if (status.state === 'failed' || status.state === 'unsupported') this.#attempt = this.#start();
    await this.ready.catch(() => {});
  }

  async load(modelId: string): Promise<void> {
    await this.call('models/load', { id: modelId });
  }

  async call<Name extends EngineCallName>(
    name: Name,
    parameters: EngineCalls[Name]['parameters'],
  ): Promise<EngineCalls[Name]['result']> {
    return this.#engine.call(await this.#attempt.connection, name, parameters);
  }

  applyUpdate(): Promise<void> {
    return this.#registrar.applyUpdate();
  }

  dispose(): void {
    if (this.#end.signal.aborted) return;
    const error = new ApiError('engine_unavailable', failureStrings.disposed);
    this.#attempt = this.#giveUp(error);
    this.#failed = true;
    this.#end.abort(error);
    this.#setStatus(failureStatus(error));
    this.#onDispose();
  }

  #start(): Attempt {
    this.#failed = false;
    this.#setStatus(STARTING);
    const connection = this.#registrar.register().then(() => this.#engine.open());
    return this.#follow(connection, this.#registrar.control());
  }

  /** An attempt that has failed already. */
  #giveUp(reason: ApiError): Attempt {
    return this.#follow(Promise.reject(reason), Promise.resolve());
  }

  /** The failure of the current attempt is told; nobody needs to look at its promises. */
  #follow(connection: Promise<EngineConnection>, controlled: Promise<void>): Attempt {
    const attempt: Attempt = { connection, ready: bothOf(connection, controlled) };
    attempt.ready.catch((thrown: unknown) => {
      if (attempt === this.#attempt && !this.#end.signal.aborted) this.#fail(ApiError.from(thrown));
    });
    return attempt;
  }

  #fail(error: ApiError): void {
    this.#failed = true;
    this.#setStatus(failureStatus(error));
    writeToConsole(error.message, error.cause);
    if (error.retryAfter !== undefined) void this.#tryAgainLater(this.#attempt);
  }

  /** The requests that are reason for another try may all be served through other tabs: this one is to follow. */
  async #tryAgainLater(failed: Attempt): Promise<void> {
    const pause = RETRY_PAUSES[this.#retries++];
    if (pause === undefined) return;
    await sleep(pause, this.#end.signal).catch(() => {});
    if (failed === this.#attempt && !this.#end.signal.aborted) this.#attempt = this.#start();
  }

  #onEngineDeath(error: ApiError, isHopeless: boolean): void {
    if (!isHopeless) this.#retries = 0;
    this.#attempt = isHopeless ? this.#giveUp(error) : this.#start();
  }

  /** For a service worker that asks this window for the engine. */
  async #findPort(): Promise<EnginePort | null> {
    const { status } = this;
    // A request is reason enough for another try: not every page has somebody who could ask for it.
    if (status.state === 'failed' && status.model === null) this.#attempt = this.#start();
    await this.#attempt.connection;
    return this.#engine.port();
  }

  /** Where there is no engine there is no answer either. */
  #cancelStream(streamId: string): void {
    this.#attempt.connection.then(
      (connection) => connection.post({ type: 'cancel-stream', streamId }),
      () => {},
    );
  }

  #setStatus(status: PageStatus): void {
    this.#status = status;
    this.dispatchEvent(new Event('statuschange'));
  }

  #onUpdate(): void {
    this.#updateAvailable = true;
    this.dispatchEvent(new Event('updateavailable'));
  }
}

async function bothOf(connection: Promise<EngineConnection>, controlled: Promise<void>): Promise<void> {
  await Promise.all([connection, controlled]);
}
