import { ApiError } from '../../shared/api-error.ts';
import type { EngineCallName, EngineCalls } from '../../shared/messaging/engine-calls.ts';
import type { EngineConnection, EngineMessage, EnginePort } from '../../shared/messaging/engine-connection.ts';
import { engineUnavailable } from '../../shared/engine/engine-errors.ts';
import type { EngineStatus } from '../../shared/engine/engine.ts';
import type { PolicyViolations } from '../../shared/security/policy-violations.ts';
import type { AskVersion } from '../registration/ask-version.ts';
import { forgetBlockingModel, mayPreload, noteBlockingModel } from './blocking-models.ts';
import { EngineBroker } from './engine-broker.ts';
import { EngineCallClient } from '../../shared/messaging/engine-call-client.ts';
import { failureStrings } from '../strings/failures.ts';

export interface EngineSessionOptions {
  /** Address of the engine worker; undefined means the one built beside this script. */
  readonly script: URL | undefined;
  readonly violations: PolicyViolations;
  /** The service worker that passes ports between tabs, once it is registered. */
  readonly serviceWorker: () => Promise<ServiceWorkerRegistration>;
  /** What it says of itself. */
  readonly askVersion: AskVersion;
  /** Id of a model that every new engine is to load at once, unless it has blocked one. */
  readonly preload: string | undefined;
  readonly onStatus: (status: EngineStatus) => void;
  /**
   * The engine has died.
   * @param isHopeless It died young, as did the one before: a third would too.
   */
  readonly onDeath: (error: ApiError, isHopeless: boolean) => void;
  /** Ends the session: the engine is let go of, and lives on only where another page uses it. */
  readonly signal: AbortSignal;
}

/** An engine that dies this soon (milliseconds) after it was reached, twice in a row, would only die again. */
const SHORT_LIFE = 5000;

/** The engine as one page uses it: opened, called, and noticed when it dies. */
export class EngineSession {
  readonly #options: EngineSessionOptions;
  readonly #broker: EngineBroker;
  readonly #calls = new EngineCallClient();
  readonly #retired = new AbortController();
  #opening: Promise<EngineConnection> | null = null;
  #connection: EngineConnection | null = null;
  /** Id of the model that the engine is loading. */
  #loading: string | null = null;
  /** True when the last engine had a short life. */
  #diedYoung = false;
  /** The connection over which a model may be about to be loaded by itself. */
  #preloading: EngineConnection | null = null;
  /** That such an engine is idle, which is told only if it stays so. */
  #idle: EngineStatus | null = null;

  constructor(options: EngineSessionOptions) {
    const { script, violations, serviceWorker, askVersion } = options;
    const signal = AbortSignal.any([options.signal, this.#retired.signal]);
    this.#options = { ...options, signal };
    this.#broker = new EngineBroker({
      script,
      violations,
      serviceWorker,
      askVersion,
      signal,
      receive: (message) => this.#receive(message),
    });
    signal.addEventListener('abort', () => this.#leave(), { once: true });
  }

  /**
   * Finds the engine or starts it, and connects to it anew. An attempt that is under way is joined.
   * @throws ApiError `gpu_unavailable` or `engine_unavailable`.
   */
  open(): Promise<EngineConnection> {
    this.#leave();
    this.#opening ??= this.#open().finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  /** @throws ApiError what the call failed with, or why the connection ended meanwhile. */
  call<Name extends EngineCallName>(
    connection: EngineConnection,
    name: Name,
    parameters: EngineCalls[Name]['parameters'],
  ): Promise<EngineCalls[Name]['result']> {
    return this.#calls.send(connection, name, parameters);
  }

  /** A fresh port to the engine for someone else; null when another tab hosts the engine. */
  port(): EnginePort | null {
    return this.#broker.connect();
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
    // Its outcome is in the status.
    if (await mayPreload(id)) await this.call(connection, 'models/load', { id }).catch(() => {});
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
    this.#broker.restart();
    const diedYoungBefore = this.#diedYoung;
    this.#diedYoung = performance.now() - opened < SHORT_LIFE;
    this.#options.onDeath(ApiError.from(connection.ended.reason), diedYoungBefore && this.#diedYoung);
  }

  /** Ends the session and the engine, whoever else uses that. */
  retire(): void {
    this.#connection?.post({ type: 'abandon' });
    this.#retired.abort(engineUnavailable(failureStrings.dataCleared));
  }

  #leave(): void {
    const connection = this.#connection;
    this.#connection = null;
    this.#preloading = null;
    connection?.close();
  }

  #receive(message: EngineMessage): void {
    if (message.type === 'status') this.#onStatus(message.status);
    else if (message.type !== 'events') this.#calls.receive(message);
  }

  #onStatus(status: EngineStatus): void {
    this.#loading = status.state === 'loading' ? status.model : null;
    if (status.state === 'ready') forgetBlockingModel(status.model);
    this.#idle = this.#preloading !== null && status.state === 'idle' ? status : null;
    if (this.#idle !== null) return;
    this.#options.onStatus(status);
  }
}
