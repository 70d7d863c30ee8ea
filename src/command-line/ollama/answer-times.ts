/**
 * Measures the durations of an answer. The measurement begins when this object is created. Waiting in the queue counts
 * as evaluation of the prompt.
 */
export class AnswerTimes {
  readonly #start = performance.now();
  #loaded = this.#start;
  #firstToken: number | null = null;

  /** Records that the model is still being loaded. Call it for each `: loading` comment of the stream. */
  loading(): void {
    this.#loaded = performance.now();
  }

  token(): void {
    this.#firstToken ??= performance.now();
  }

  /** Returns the durations of the whole answer in nanoseconds. */
  end() {
    const end = performance.now();
    const firstToken = this.#firstToken ?? end;
    return {
      total_duration: nanoseconds(end - this.#start),
      load_duration: nanoseconds(this.#loaded - this.#start),
      prompt_eval_duration: nanoseconds(firstToken - this.#loaded),
      eval_duration: nanoseconds(end - firstToken),
    };
  }
}

function nanoseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1e6);
}
