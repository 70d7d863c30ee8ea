/** A source of repeatable random numbers. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 2_654_435_761) % 2_147_483_647 || 1;
  }

  /** Returns an integer from 0 to `below` − 1. */
  below(below: number): number {
    this.#state = (this.#state * 48_271) % 2_147_483_647;
    return this.#state % below;
  }

  of<Value>(values: readonly Value[]): Value {
    return values[this.below(values.length)]!;
  }

  /** Returns true with a probability of 1 in `times`. */
  once(times: number): boolean {
    return this.below(times) === 0;
  }
}
