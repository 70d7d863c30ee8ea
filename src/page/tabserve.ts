import type { EngineCallName, EngineCalls } from '../shared/messaging/engine-calls.ts';
import type { PageStatus } from './status/page-status.ts';

export interface TabserveEventMap {
  /** {@link Tabserve.status} has changed. */
  statuschange: Event;
  /** A newer build waits; {@link Tabserve.applyUpdate} switches to it. */
  updateavailable: Event;
}

/** What {@link register} gives to a page: the endpoint's state and the few things a page may ask of it. */
export interface Tabserve {
  readonly status: PageStatus;
  /**
   * Path of the endpoint, without a slash at its end: `location.origin + basePath` is the base URL of clients. Where
   * `register()` was not told one it is the service worker's word, once {@link ready} has resolved, and before it `/v1`.
   */
  readonly basePath: string;
  readonly updateAvailable: boolean;
  /**
   * Resolves when `fetch('/v1/…')` of this page is answered: the service worker has taken charge of the page, and the
   * engine is there. It does not wait for a model. While nobody looks at it, its rejection goes unnoticed.
   *
   * It is the promise of the latest attempt: after a failure, {@link retry} makes a new one, and so does an engine that
   * died and is started again. So read it anew each time it is needed.
   * @throws ApiError `gpu_unavailable` where there is no WebGPU, else `engine_unavailable`, with a sentence that says what
   * is in the way and what to do: no window, no secure context, no service workers, a script that is missing, a page
   * outside the scope, scripts of different versions. {@link status} and the console say the same.
   */
  readonly ready: Promise<void>;
  /** Tries again what failed: registration, engine or model. Never rejects; the outcome is in {@link status}. */
  retry(): Promise<void>;
  /**
   * Loads a model ahead of the first request, replacing any other.
   * @throws ApiError `model_not_found`, `model_load_failed`, `gpu_unavailable`, …
   */
  load(modelId: string): Promise<void>;
  /**
   * Calls the engine worker.
   * @throws ApiError what the call failed with, or `engine_unavailable` when the engine dies meanwhile.
   */
  call<Name extends EngineCallName>(
    name: Name,
    parameters: EngineCalls[Name]['parameters'],
  ): Promise<EngineCalls[Name]['result']>;
  /**
   * As the global `fetch`, but a chat completion of this endpoint is whole although the browser stops the service worker
   * in the middle of it: it is joined again where it broke off. Made to be given to clients: `new OpenAI({ fetch:
   * tabserve.fetch, … })`. What else it is asked for it passes on as it is.
   *
   * An answer that cannot be joined any more, since the engine has died, ends in an error `engine_unavailable`.
   */
  readonly fetch: typeof globalThis.fetch;
  /**
   * Switches to the newer build once no answer is being given, and reloads the page. Where no such moment comes in two
   * minutes, answers that begin later are held back until it has: none is cut off.
   */
  applyUpdate(): Promise<void>;
  /**
   * Lets go of everything that this page holds: timers, listeners, locks and its connection to the engine, which lives on
   * while other pages use it. `ready` and every call reject from now on, and `register()` may be called anew. The service
   * worker stays registered; requests that reach it need another page for their engine.
   */
  dispose(): void;
  addEventListener<Type extends keyof TabserveEventMap>(
    type: Type,
    listener: (event: TabserveEventMap[Type]) => void,
    options?: AddEventListenerOptions | boolean,
  ): void;
  removeEventListener<Type extends keyof TabserveEventMap>(
    type: Type,
    listener: (event: TabserveEventMap[Type]) => void,
    options?: EventListenerOptions | boolean,
  ): void;
}
