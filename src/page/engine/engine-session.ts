import { ApiError } from '../../shared/api-error.ts';
import type { EngineCallName, EngineCalls } from '../../shared/engine/engine-calls.ts';
import type { EngineConnection, EngineMessage, EnginePort } from '../../shared/messaging/engine-connection.ts';
import { engineUnavailable } from '../../shared/engine/engine-errors.ts';
import type { EngineStatus } from '../../shared/engine/engine.ts';
import type { PolicyViolations } from '../../shared/security/policy-violations.ts';
import type { AskVersion } from '../registration/ask-version.ts';
import { forgetBlockingModel, mayPreload, noteBlockingModel } from './blocking-models.ts';
import { EngineBroker } from './engine-broker.ts';
import type { HubState } from '../status/page-status.ts';
import { isLockHeld } from '../../shared/locks/liveness-lock.ts';
import { HUB_ENGINE_PREFIX, SERVES_PORTS } from '../../shared/locks/site-locks.ts';
import { withTimeout } from '../../shared/timeout.ts';
import { EngineCallClient } from '../../shared/messaging/engine-call-client.ts';
import { loadHubParts } from './load-hub-parts.ts';
import { runPageTask } from './run-page-task.ts';

export interface EngineSessionOptions {
  /** Address of the engine worker. Default: the one beside this script. */
  readonly script: URL | undefined;
  readonly violations: PolicyViolations;
  /** Resolves to the service worker's registration once it exists. */
  readonly serviceWorker: () => Promise<ServiceWorkerRegistration>;
  readonly askVersion: AskVersion;
  /** Id of the model to load if none is loaded. Ignored if that model has made an engine unresponsive. */
  readonly preload: string | undefined;
  /** Address of the hub, with a trailing slash. Default: none. */
  readonly hub?: URL | undefined;
  /** Called when it is known whether the hub's engine is used. */
  readonly onHub?: (state: HubState) => void;
  readonly onStatus: (status: EngineStatus) => void;
  /**
   * Called when the engine has died.
   * @param isHopeless True if two consecutive engines died within {@link SHORT_LIFE}; then no further engine is
   * started.
   */
  readonly onDeath: (error: ApiError, isHopeless: boolean) => void;
  /** Ends the session when aborted. The engine keeps running while other pages use it. */
  readonly signal: AbortSignal;
}

/** Milliseconds for the browser to tell which locks are held. */
const LOCK_TIME = 2000;

/** Milliseconds. If two consecutive engines live for a shorter time, no further one is started automatically. */
const SHORT_LIFE = 5000;

/** A page's use of the engine: connects, calls it, preloads a model and detects its death. */
export class EngineSession {
  readonly #options: EngineSessionOptions;
  readonly #broker: EngineBroker;
  readonly #calls = new EngineCallClient();
  readonly #retired = new AbortController();
  #opening: Promise<EngineConnection> | null = null;
  #connection: EngineConnection | null = null;
  /** Id of the model that the engine is loading. */
  #loading: string | null = null;
  /** Whether the last engine lived for less than {@link SHORT_LIFE}. */
  #diedYoung = false;
  /** The connection on which a model is being preloaded. */
  #preloading: EngineConnection | null = null;
  /**
   * The `idle` status that the engine reported during preloading. It is passed on only if the engine is still idle
   * afterwards.
   */
  #idle: EngineStatus | null = null;

  constructor(options: EngineSessionOptions) {
    const signal = AbortSignal.any([options.signal, this.#retired.signal]);
    this.#options = { ...options, signal };
    this.#broker = new EngineBroker({ ...this.#options, receive: (message) => this.#receive(message) });
    signal.addEventListener('abort', () => this.#leave(), { once: true });
  }

  /**
   * Finds or starts the engine and opens a new connection. If an attempt is in progress, returns its promise.
   * @throws ApiError see {@link EngineBroker.open}.
   */
  open(): Promise<EngineConnection> {
    this.#leave();
    this.#opening ??= this.#open().finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  /**
   * Calls the engine and returns the result.
   * @throws ApiError if the call fails, or if the connection ends during the call.
   */
  call<Name extends EngineCallName>(
    connection: EngineConnection,
    name: Name,
    parameters: EngineCalls[Name]['parameters'],
  ): Promise<EngineCalls[Name]['result']> {
    return this.#calls.send(connection, name, parameters);
  }

  /**
   * Creates a port to the engine for another context; null if the engine has ended, or another tab hosts an engine of a
   * build that serves no ports of other tabs. The page of that tab may be blocked, by a dialog or the debugger, while its
   * worker answers.
   */
  async port(): Promise<EnginePort | null> {
    const connection = this.#connection;
    // A page that was stopped, by a dialog or the debugger, may not have noticed that the engine has ended.
    if (connection && !connection.lockName.startsWith(HUB_ENGINE_PREFIX)) {
      const held = isLockHeld(connection.lockName).catch(() => true);
      if (!(await withTimeout(LOCK_TIME, held, true))) connection.close(engineUnavailable('The engine has stopped.'));
    }
    if (connection?.ended.aborted) return null;
    const own = this.#broker.connect();
    if (own || !connection?.lockName.includes(SERVES_PORTS)) return own;
    const { port1, port2 } = new MessageChannel();
    connection.post({ type: 'serve' }, [port2]);
    return { port: port1, lockName: connection.lockName };
  }

  async #open(): Promise<EngineConnection> {
    const { preload, signal } = this.#options;
    const connection = await this.#broker.open();
    if (signal.aborted) connection.close();
    signal.throwIfAborted();
    const opened = performance.now();
    this.#connection = connection;
    connection.ended.addEventListener('abort', () => this.#onEnded(connection, opened), { once: true });
    connection.monitorUntil(connection.ended);
    connection.post({ type: 'watch-status' });
    if (preload !== undefined) void this.#preload(connection, preload);
    return connection;
  }

  async #preload(connection: EngineConnection, id: string): Promise<void> {
    this.#preloading = connection;
    this.#idle = null;
    // Errors are ignored here: the engine's status reports them.
    if (await mayPreload(id)) await this.call(connection, 'models/preload', { id }).catch(() => {});
    if (connection !== this.#preloading) return;
    this.#preloading = null;
    if (this.#idle !== null) this.#options.onStatus(this.#idle);
  }

  #onEnded(connection: EngineConnection, opened: number): void {
    if (connection !== this.#connection) return;
    this.#connection = null;
    this.#preloading = null;
    if (connection.unresponsive && this.#loading !== null) noteBlockingModel(this.#loading);
    this.#loading = null;
    this.#broker.restart(connection.lockName);
    const diedYoungBefore = this.#diedYoung;
    this.#diedYoung = performance.now() - opened < SHORT_LIFE;
    this.#options.onDeath(ApiError.from(connection.ended.reason), diedYoungBefore && this.#diedYoung);
  }

  /**
   * Ends the session and terminates the engine, even if other pages use it.
   * @param reason A sentence for the requests that fail.
   */
  retire(reason: string): void {
    this.#connection?.post({ type: 'abandon' });
    this.#retired.abort(engineUnavailable(reason, 2));
  }

  #leave(): void {
    const connection = this.#connection;
    this.#connection = null;
    this.#preloading = null;
    connection?.close();
  }

  #receive(message: EngineMessage): void {
    if (message.type === 'status') this.#onStatus(message.status);
    else if (message.type === 'start-worker' || message.type === 'serve-browser-model')
      void runPageTask(message, this.#options.signal);
    else if (message.type === 'store-log') {
      const connection = this.#connection;
      void loadHubParts?.().then(({ storeLog }) => storeLog(message, (stored) => connection?.post(stored)));
    } else if (message.type !== 'events') this.#calls.receive(message);
  }

  #onStatus(status: EngineStatus): void {
    this.#loading = status.state === 'loading' ? status.model : null;
    if (status.state === 'ready') forgetBlockingModel(status.model);
    this.#idle = this.#preloading !== null && status.state === 'idle' ? status : null;
    if (this.#idle !== null) return;
    this.#options.onStatus(status);
  }
}
