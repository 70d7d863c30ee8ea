import type { EngineCallName, EngineCalls } from '../shared/engine/engine-calls.ts';
import type { PageStatus } from './status/page-status.ts';

export interface TabserveEventMap {
  /** {@link Tabserve.status} has changed. */
  statuschange: Event;
  /**
   * A newer service worker is ready; {@link Tabserve.applyUpdate} switches to it. Not fired if it has other options and
   * takes over at once, see {@link RegisterOptions.autoUpdate}.
   */
  updateavailable: Event;
}

/** The result of {@link register}: the endpoint of this page. */
export interface Tabserve {
  readonly status: PageStatus;
  /**
   * Path of the endpoint without a trailing slash: `location.origin + basePath` is the base URL of clients. If
   * `register()` was not given a `basePath`, it is `/v1` until {@link ready} has resolved, then the service worker's
   * path.
   */
  readonly basePath: string;
  /** Whether {@link Tabserve.applyUpdate} would switch to a newer service worker. */
  readonly updateAvailable: boolean;
  /**
   * Resolves when `fetch('/v1/…')` of this page reaches the engine: the service worker controls the page, and the
   * engine is connected. Does not wait for a model. Its rejection is never reported as unhandled.
   *
   * A new promise replaces it when {@link retry} or the page itself starts another attempt, for instance after the
   * engine has died. So read the property each time you wait.
   * @throws ApiError `gpu_unavailable` without WebGPU; `model_load_failed` if the site's policy forbids WebAssembly; `gpu_device_lost` after the GPU has crashed; `reload_required`
   * if requests bypass the service worker; else `engine_unavailable`, with a sentence that says what is wrong and what
   * to do: no window, no secure context, no service workers, a missing script, missing models, a page outside the scope, scripts of
   * different versions. {@link status} and the console say the same.
   */
  readonly ready: Promise<void>;
  /** Retries what failed: registration, engine or model. Never rejects; the outcome is in {@link status}. */
  retry(): Promise<void>;
  /**
   * Loads a model ahead of the first request, in place of the loaded model of the same kind (chat or embedding).
   * @throws ApiError `model_not_found` if the model is not on this device; `model_load_failed`, `gpu_unavailable` or
   * another error if it cannot be loaded.
   */
  load(modelId: string): Promise<void>;
  /**
   * Calls the engine worker.
   * @throws ApiError if the call fails; `engine_unavailable` if the engine dies during the call.
   */
  call<Name extends EngineCallName>(
    name: Name,
    parameters: EngineCalls[Name]['parameters'],
  ): Promise<EngineCalls[Name]['result']>;
  /**
   * Like the global `fetch`, but a chat completion of this endpoint is resumed if the browser stops the service worker
   * before its response is complete. For clients: `new OpenAI({ fetch: tabserve.fetch, … })`. Other requests are passed
   * on unchanged.
   *
   * If the engine has died, the response ends with an error `engine_unavailable`.
   */
  readonly fetch: typeof globalThis.fetch;
  /**
   * Shows in `place` the hub's question whether this site may use its models, with the hub's own button. Call it on a click
   * of the person, if {@link status} has a `hub` whose `fault` is `no-permission` or `no-access`. Browsers let the person
   * allow only a hub that they have visited; the question then has a link to it.
   * @returns whether the person has allowed it; then the hub's engine answers from now on. False also if there is no hub, or it cannot be
   * reached.
   */
  askForHub(place: Element): Promise<boolean>;
  /**
   * Activates the newer service worker once no response is being sent, then reloads the page. If responses are still being sent
   * after two minutes, new requests wait until the running ones have ended.
   */
  applyUpdate(): Promise<void>;
  /**
   * Releases everything that this page holds: timers, listeners, locks and its connection to the engine, which lives on while
   * other pages use it. `ready` and all calls reject afterwards, and `register()` can be called again. The service worker
   * stays registered, but its requests need another page to reach an engine.
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
