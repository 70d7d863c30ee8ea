import type { Engine } from '../../shared/engine/engine.ts';
import type { Completion } from './completion.ts';

/** The completions that the engine is generating, and whether it can generate another one beside them. */
export class ParallelAnswers {
  readonly #engine: Engine;
  readonly #answering = new Set<Completion>();
  readonly #onNone: (() => void)[] = [];

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /**
   * Whether a completion can be generated beside the running tasks: all of them are completions of the same model and
   * site (two sites may use one id for different models), and the engine accepts one more.
   * @param running Number of running tasks of the queue. Some may be other tasks, such as the load of a model.
   */
  canTake({ request, site }: Completion, running: number): boolean {
    const { loadedModel, parallel = 1 } = this.#engine;
    return (
      running < parallel &&
      running === this.#answering.size &&
      request.model === loadedModel &&
      [...this.#answering].every((other) => other.request.model === request.model && other.site === site)
    );
  }

  add(completion: Completion): void {
    this.#answering.add(completion);
  }

  delete(completion: Completion): void {
    this.#answering.delete(completion);
    if (this.#answering.size > 0) return;
    for (const resolve of this.#onNone.splice(0)) resolve();
  }

  /** Resolves when no completion is being generated. */
  async ended(): Promise<void> {
    if (this.#answering.size > 0) await new Promise<void>((resolve) => this.#onNone.push(resolve));
  }
}
