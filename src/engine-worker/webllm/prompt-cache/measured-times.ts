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
   * Estimates the time in milliseconds by the fastest measurement with at most twice or half as many tokens, because
   * slower ones were disturbed, for instance by the compilation of shaders. Without one it takes the most similar.
   * @returns null if nothing was measured.
   */
  estimate(tokens: number): number | null {
    const distance = (other: Measurement) => Math.abs(Math.log2(other.tokens / tokens));
    const [nearest, ...others] = this.#measurements.toSorted((one, other) => distance(one) - distance(other));
    if (!nearest) return null;
    const similar = others.filter((other) => distance(other) <= 1);
    return tokens * Math.min(...[nearest, ...similar].map((one) => one.time / one.tokens));
  }
}
