import type { EngineCallName, EngineCalls } from '../shared/engine-calls.ts';
import type { PageStatus } from './page-status.ts';

export interface TabserveEventMap {
  /** {@link Tabserve.status} has changed. */
  statuschange: Event;
  /** A newer build waits; {@link Tabserve.applyUpdate} switches to it. */
  updateavailable: Event;
}

/** What {@link register} gives to a page: the endpoint's state and the few things a page may ask of it. */
export interface Tabserve {
  readonly status: PageStatus;
  readonly updateAvailable: boolean;
  /**
   * Resolves when `fetch('/v1/…')` of this page reaches the endpoint. It does not wait for a model and
   * never rejects: where the browser lacks something it stays pending and {@link status} says why.
   */
  readonly ready: Promise<void>;
  /** Tries again what failed: registration, engine or model. Resolves when the outcome is in `status`. */
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
  /** Switches to the newer build once no answer is being given, and reloads the page. */
  applyUpdate(): Promise<void>;
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
