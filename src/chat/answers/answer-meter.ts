/** Times one answer. All times in milliseconds as `performance.now()` gives them. */
export class AnswerMeter {
  readonly #start: number;
  #first: number | null = null;
  #last: number | null = null;

  constructor(start: number) {
    this.#start = start;
  }

  /** A piece of text has come. */
  piece(now: number): void {
    this.#first ??= now;
    this.#last = now;
  }

  get timeToFirstToken(): number | null {
    return this.#first === null ? null : this.#first - this.#start;
  }

  /** Tokens a second after the first one; null while that cannot be known. */
  tokensPerSecond(tokens: number): number | null {
    if (this.#first === null || this.#last === null || tokens < 2 || this.#last <= this.#first) return null;
    return ((tokens - 1) * 1000) / (this.#last - this.#first);
  }
}
