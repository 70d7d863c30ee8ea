import { ApiError } from '../../shared/api-error.ts';
import {
  EngineClientIdentity,
  EngineConnection,
  type EngineMessage,
  type EnginePort,
} from '../../shared/messaging/engine-connection.ts';
import { gpuCrashed } from '../../shared/engine/engine-errors.ts';
import { withAbort } from '../../shared/timeout.ts';
import type { PolicyViolations } from '../../shared/security/policy-violations.ts';
import { findEngineInOtherTab } from './find-engine-in-other-tab.ts';
import type { AskVersion } from '../registration/ask-version.ts';
import { DedicatedEngineHost } from './dedicated-engine-host.ts';
import type { EngineHost } from './engine-host.ts';
import { explainScriptFailure } from '../registration/explain-script-failure.ts';
import { SharedEngineHost } from './shared-engine-host.ts';
import { unsupportedStrings } from '../strings/status.ts';

/** A name of its own keeps bundlers from taking what is beside this script for one more file of theirs. */
const HERE = import.meta.url;

export interface EngineBrokerOptions {
  /** Address of the engine worker; undefined means the one built beside this script. */
  readonly script: URL | undefined;
  readonly violations: PolicyViolations;
  /** The service worker that passes ports between tabs, once it is active. */
  readonly serviceWorker: () => Promise<ServiceWorkerRegistration>;
  /** What it says of itself and of the site's models. */
  readonly askVersion: AskVersion;
  /** Gets what the engine says to this page. */
  readonly receive: (message: EngineMessage) => void;
  /** Ends it all: what is being opened, the engine that this page hosts, and the sign of life for the engine. */
  readonly signal: AbortSignal;
}

/**
 * Starts the engine, or finds the one another tab runs, and hands out ports to it: to this page and, when
 * it asks, to the service worker.
 */
export class EngineBroker {
  readonly #options: EngineBrokerOptions;
  readonly #identity: EngineClientIdentity;
  #host: EngineHost | null = null;
  #scriptFailed = new AbortController();

  constructor(options: EngineBrokerOptions) {
    this.#options = options;
    const { signal } = options;
    this.#identity = new EngineClientIdentity('page', signal);
    signal.addEventListener('abort', () => this.#host?.close(signal.reason), { once: true });
  }

  /**
   * Connects this page, which also decides where the engine runs: in a SharedWorker where that one gets a
   * graphics device, else in a DedicatedWorker.
   * @throws ApiError `gpu_unavailable`; `gpu_device_lost` where this tab has had an engine with a device before, also
   * before it was reloaded; `engine_unavailable`.
   */
  async open(): Promise<EngineConnection> {
    // What a page lacks, its workers lack too; what it has, they may still lack.
    if (!navigator.gpu) throw noWebGpu();
    this.#options.signal.throwIfAborted();
    this.#scriptFailed = new AbortController();
    for (const host of this.#candidates()) {
      this.#host = host;
      const connection = await host
        .join((port) => this.#introduce(port))
        .catch(async (thrown: unknown) => {
          // A host that is let go of only here would be in the way of the next attempt's: both want one lock.
          this.#letGo(host);
          throw thrown instanceof DOMException && thrown.name === 'SecurityError'
            ? await this.#explain(thrown)
            : thrown;
        });
      if (connection.gpu !== null) {
        rememberGpu();
        return connection;
      }
      connection.close();
      this.#letGo(host);
    }
    throw knowsGpu() ? gpuCrashed() : noWebGpu();
  }

  /** The host there was, if there was one, then fresh ones, the better kind first. */
  *#candidates(): Generator<EngineHost, undefined> {
    const { script } = this.#options;
    const failed = this.#scriptFailed;
    const onScriptError = async (event: Event) => failed.abort(await this.#explain(event));
    const otherTab = async () => findEngineInOtherTab(await this.#options.serviceWorker());
    const earlier = this.#host;
    this.#host = null;
    if (earlier) yield earlier;
    if ('SharedWorker' in globalThis) yield new SharedEngineHost(script, onScriptError, this.#options.signal);
    yield new DedicatedEngineHost(script, otherTab, onScriptError);
  }

  /** @param thrown What the browser threw, or the event in its place. */
  #explain(thrown: unknown): Promise<ApiError> {
    const { script = new URL('tabserve-engine-worker.js', HERE), violations } = this.#options;
    return explainScriptFailure({ kind: 'engine worker', script: script.href, thrown, violations });
  }

  #letGo(host: EngineHost): void {
    host.close();
    if (this.#host === host) this.#host = null;
  }

  /** The engine this page was connected to has died. */
  restart(): void {
    this.#host?.restart();
  }

  /**
   * A fresh port to the engine for someone else.
   * @returns null when another tab hosts the engine, or nobody does.
   */
  connect(): EnginePort | null {
    return this.#host?.connect() ?? null;
  }

  async #introduce(port: EnginePort): Promise<EngineConnection | null> {
    const { serviceWorker, askVersion, receive, signal } = this.#options;
    const registration = await serviceWorker();
    const worker = registration.active ?? registration.waiting ?? registration.installing;
    const reply = worker && (await withAbort(askVersion(worker), signal));
    const site = { site: registration.scope, siteModels: reply?.siteModels };
    return withAbort(EngineConnection.open(port, this.#identity, site, receive), this.#scriptFailed.signal);
  }
}

/** What the person in front of this page can do about it is said here; other contexts only know that it is so. */
function noWebGpu(): ApiError {
  return new ApiError('gpu_unavailable', unsupportedStrings['no-webgpu']);
}

/** Set in the session storage once an engine has told this tab of a graphics device. */
const GPU_KEY = 'tabserve-gpu';

function rememberGpu(): void {
  try {
    sessionStorage.setItem(GPU_KEY, 'seen');
  } catch {
    // A site may be denied its storage; then a reload forgets.
  }
}

function knowsGpu(): boolean {
  try {
    return sessionStorage.getItem(GPU_KEY) !== null;
  } catch {
    return false;
  }
}
