/** Number of measurements that are kept. */
const KEPT = 8;

interface Measurement {
  readonly tokens: number;
  /** Milliseconds. */
  readonly time: number;
}

/** The last times that one kind of work took, to estimate the time for another number of tokens. */
export class MeasuredTimes {
  #measurements: readonly Measurement[] = [];

  add(tokens: number, time: number): void {
    this.#measurements = [{ tokens, time }, ...this.#measurements].slice(0, KEPT);
  }

  /**
   * Estimates the time in milliseconds by the measurement with the most similar number of tokens.
   * @returns null if nothing was measured.
   */
  estimate(tokens: number): number | null {
    const distance = (other: Measurement) => Math.abs(Math.log(other.tokens / tokens));
    const [nearest] = this.#measurements.toSorted((one, other) => distance(one) - distance(other));
    return nearest ? (nearest.time * tokens) / nearest.tokens : null;
  }
}
