import type { ModelEntry } from '../../shared/models/model-entry.ts';
import { modelKind, type ModelKind } from '../../shared/models/model-kind.ts';

/** Longest time that a timer can wait, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/** Milliseconds until the next attempt while requests are running. */
const RETRY_INTERVAL = 1000;

/** Unloads each model that was unused for the time that its entry states ({@link ModelEntry.keepAlive}). */
export class IdleUnloader {
  readonly #unload: (model: ModelEntry) => boolean;
  readonly #timers = new Map<ModelKind, ReturnType<typeof setTimeout>>();

  /** @param unload Unloads a model. Returns false if requests are running or waiting, so that it must be tried again. */
  constructor(unload: (model: ModelEntry) => boolean) {
    this.#unload = unload;
  }

  /** Called when a use of a model ends, some time before {@link used}. */
  pause(model: ModelEntry): void {
    clearTimeout(this.#timers.get(modelKind(model)));
  }

  /** Called when a model has been loaded, and when a use of it has ended. */
  used(model: ModelEntry): void {
    const { keepAlive = -1 } = model;
    this.pause(model);
    if (keepAlive >= 0) this.#wait(model, Math.min(LONGEST, 1000 * keepAlive));
  }

  #wait(model: ModelEntry, delay: number): void {
    const attempt = () => {
      if (!this.#unload(model)) this.#wait(model, RETRY_INTERVAL);
    };
    this.#timers.set(modelKind(model), setTimeout(attempt, delay));
  }
}
