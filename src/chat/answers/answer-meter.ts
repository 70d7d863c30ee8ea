/** Measures the speed of one answer. All times are `performance.now()` values in milliseconds. */
export class AnswerMeter {
  readonly #start: number;
  #first: number | null = null;
  #last: number | null = null;
  #thought: number | null = null;

  constructor(start: number) {
    this.#start = start;
  }

  /** Records that a piece of the answer's text or of its reasoning arrived at `now`. */
  piece(now: number, isThinking = false): void {
    this.#first ??= now;
    this.#last = now;
    if (isThinking) this.#thought = now;
  }

  /** Milliseconds from the first token to the last thinking token; null if the model did not think. */
  get thinkingTime(): number | null {
    return this.#thought === null || this.#first === null ? null : this.#thought - this.#first;
  }

  get timeToFirstToken(): number | null {
    return this.#first === null ? null : this.#first - this.#start;
  }

  /** Tokens per second after the first token; null if fewer than two tokens came. */
  tokensPerSecond(tokens: number): number | null {
    if (this.#first === null || this.#last === null || tokens < 2 || this.#last <= this.#first) return null;
    return ((tokens - 1) * 1000) / (this.#last - this.#first);
  }
}
