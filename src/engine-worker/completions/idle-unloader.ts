import type { ModelEntry } from '../../shared/models/model-entry.ts';
import { modelKind, type ModelKind } from '../../shared/models/model-kind.ts';

/** Longest time that a timer can wait, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/** Milliseconds until the next attempt while other requests are running. */
const RETRY_INTERVAL = 1000;

/** Unloads each model that was unused for the time that its entry states ({@link ModelEntry.keepAlive}). */
export class IdleUnloader {
  readonly #unload: (model: ModelEntry, isUnused: () => boolean) => boolean;
  readonly #timers = new Map<ModelKind, ReturnType<typeof setTimeout>>();

  /**
   * @param unload Unloads a model, unless `isUnused` returns false in its turn. Returns false if requests are running or
   * waiting, so that it must be tried again later.
   */
  constructor(unload: (model: ModelEntry, isUnused: () => boolean) => boolean) {
    this.#unload = unload;
  }

  /** Called when a model is going to be used. */
  hold(model: ModelEntry): void {
    clearTimeout(this.#timers.get(modelKind(model)));
    this.#timers.delete(modelKind(model));
  }

  /** Called when a model has been loaded, or a use of it has ended. Another use may still be running. */
  release(model: ModelEntry): void {
    const { keepAlive = -1 } = model;
    this.hold(model);
    if (keepAlive >= 0) this.#wait(model, Math.min(LONGEST, 1000 * keepAlive));
  }

  #wait(model: ModelEntry, delay: number): void {
    const timer = setTimeout(() => {
      const isUnused = () => this.#timers.get(modelKind(model)) === timer;
      if (!this.#unload(model, isUnused)) this.#wait(model, RETRY_INTERVAL);
    }, delay);
    this.#timers.set(modelKind(model), timer);
  }
}
