import { ApiError } from '../shared/api-error.ts';
import { EngineClientIdentity, EngineConnection } from '../shared/engine-connection.ts';
import { ENGINE_START_LOCK } from '../shared/locks.ts';
import {
  PROTOCOL_VERSION,
  type ConnectEngineReply,
  type EngineReplyMessage,
  type FindEngineMessage,
} from '../shared/messages.ts';
import { DedicatedEngineHost } from './dedicated-engine-host.ts';
import type { EngineHost } from './engine-host.ts';
import { SharedEngineHost } from './shared-engine-host.ts';

export interface EngineBrokerOptions {
  /** Address of the engine worker; undefined means the one built beside this script. */
  readonly script: URL | undefined;
  /** The service worker that passes ports between tabs, once it is active. */
  readonly serviceWorker: () => Promise<ServiceWorkerRegistration>;
  /** Gets what the engine says to this page. */
  readonly receive: (message: Exclude<EngineReplyMessage, { type: 'welcome' }>) => void;
}

/** Milliseconds that the service worker may take to say whether another tab hosts the engine. */
const ANSWER_TIME = 2000;

/** Milliseconds to look for the tab that hosts the engine; it may just be changing. */
const SEARCH_TIME = 10_000;

/**
 * Starts the engine, or finds the one another tab runs, and hands out ports to it: to this page and, when
 * it asks, to the service worker.
 */
export class EngineBroker {
  readonly #options: EngineBrokerOptions;
  readonly #identity = new EngineClientIdentity('page');
  #host: EngineHost | null = null;
  #scriptFailed = new AbortController();

  constructor(options: EngineBrokerOptions) {
    this.#options = options;
  }

  /**
   * Connects this page, which also decides where the engine runs: in a SharedWorker where that one gets a
   * graphics device, else in a DedicatedWorker.
   * @throws ApiError `gpu_unavailable` or `engine_unavailable`.
   */
  async open(): Promise<EngineConnection> {
    // What a page lacks, its workers lack too; what it has, they may still lack.
    if (!navigator.gpu) throw noGpu();
    this.#scriptFailed = new AbortController();
    for (const host of this.#candidates()) {
      const connection = await this.#join(host).catch((thrown: unknown) => {
        // A host that is let go of only here would be in the way of the next attempt's: both want one lock.
        host.close();
        throw thrown;
      });
      if (connection.gpu !== null) {
        this.#host = host;
        return connection;
      }
      connection.close();
      host.close();
    }
    throw noGpu();
  }

  /** The host there was, if there was one, then fresh ones, the better kind first. */
  *#candidates(): Generator<EngineHost, undefined> {
    const { script } = this.#options;
    const onScriptError = () => this.#scriptFailed.abort();
    const earlier = this.#host;
    this.#host = null;
    if (earlier) yield earlier;
    if ('SharedWorker' in globalThis) yield new SharedEngineHost(script, onScriptError);
    yield new DedicatedEngineHost(script, onScriptError);
  }

  /** The engine this page was connected to has died. */
  restart(): void {
    this.#host?.restart();
  }

  /**
   * A fresh port to the engine for someone else.
   * @returns null when another tab hosts the engine, or nobody does.
   */
  connect(): MessagePort | null {
    return this.#host?.connect() ?? null;
  }

  #join(host: EngineHost): Promise<EngineConnection> {
    if (host instanceof DedicatedEngineHost) return this.#findPort(host).then((port) => this.#connect(port));
    // Until the engine says welcome nobody else can see that it is being started.
    return navigator.locks.request(ENGINE_START_LOCK, async () => {
      await host.find();
      return this.#connect(await this.#findPort(host));
    });
  }

  async #connect(port: MessagePort): Promise<EngineConnection> {
    const { scope: site } = await this.#options.serviceWorker();
    const { signal } = this.#scriptFailed;
    const failed = new Promise<never>((_, reject) => {
      const fail = () =>
        reject(new ApiError('engine_unavailable', 'The script of the engine could not be started.', { retryAfter: 2 }));
      if (signal.aborted) fail();
      else signal.addEventListener('abort', fail, { once: true });
    });
    return Promise.race([EngineConnection.open(port, this.#identity, site, this.#options.receive), failed]);
  }

  async #findPort(host: EngineHost): Promise<MessagePort> {
    const deadline = performance.now() + SEARCH_TIME;
    for (;;) {
      const port = host.connect() ?? (await this.#askServiceWorker());
      if (port) return port;
      if (performance.now() > deadline) {
        throw new ApiError('engine_unavailable', 'No tab of this site runs the engine.', { retryAfter: 2 });
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async #askServiceWorker(): Promise<MessagePort | null> {
    const { active } = await this.#options.serviceWorker();
    if (!active) return null;
    const { port1, port2 } = new MessageChannel();
    const answer = new Promise<MessagePort | null>((resolve) => {
      port1.addEventListener('message', ({ data, ports }: MessageEvent<ConnectEngineReply>) =>
        resolve(data.type === 'engine-port' ? (ports[0] ?? null) : null),
      );
      port1.start();
    });
    const message: FindEngineMessage = { type: 'tabserve/find-engine', version: PROTOCOL_VERSION };
    active.postMessage(message, [port2]);
    const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), ANSWER_TIME));
    return Promise.race([answer, late]).finally(() => port1.close());
  }
}

function noGpu(): ApiError {
  return new ApiError('gpu_unavailable', 'This browser has no graphics device that WebGPU could use.');
}
