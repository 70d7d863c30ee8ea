import { withAbort } from '../../shared/timeout.ts';

/** The deletions of the files of models, by the id of the model. */
export class Removals {
  /** Each settles when all deletions of the model so far have ended. */
  readonly #last = new Map<string, Promise<unknown>>();

  add(model: string, removal: Promise<void>): void {
    this.#last.set(model, Promise.allSettled([this.#last.get(model), removal]));
  }

  /**
   * Waits until the files of a model are gone that is being deleted.
   * @returns whether the model was deleted at any time. It may have been added again since.
   * @throws the signal's reason if it aborts.
   */
  async ended(model: string, signal: AbortSignal): Promise<boolean> {
    const last = this.#last.get(model);
    if (last === undefined) return false;
    await withAbort(last, signal);
    // It may have been added, and deleted, again meanwhile.
    return this.#last.get(model) === last || this.ended(model, signal);
  }

  /**
   * Lets a request enter the queue: at once, or when the files of its model are gone. In the queue it would keep requests for
   * other models waiting meanwhile.
   * @throws the signal's reason if it aborts before; any error of `enter`.
   */
  before<Result>(model: string, enter: () => Promise<Result>, signal = new AbortController().signal): Promise<Result> {
    return this.#last.has(model) ? this.ended(model, signal).then(enter) : enter();
  }
}
