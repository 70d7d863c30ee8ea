/** Times one answer. All times in milliseconds as `performance.now()` gives them. */
export class AnswerMeter {
  readonly #start: number;
  #first: number | null = null;
  #last: number | null = null;
  #thought: number | null = null;

  constructor(start: number) {
    this.#start = start;
  }

  /** A piece of text, or of thinking, has come. */
  piece(now: number, isThinking = false): void {
    this.#first ??= now;
    this.#last = now;
    if (isThinking) this.#thought = now;
  }

  /** How long the model has thought so far, from its first word to its last thought; null where it has not. */
  get thinkingTime(): number | null {
    return this.#thought === null || this.#first === null ? null : this.#thought - this.#first;
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
