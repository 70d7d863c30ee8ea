const WINDOW = 5000;
/** Milliseconds of data after which the speed is representative. */
const SETTLING_TIME = 3000;

/** Milliseconds in one sample. Packets within it are added up, so that five seconds are about 50 samples. */
const SAMPLE_TIME = 100;

/** Bytes per second, averaged over the last five seconds. */
export class SpeedMeter {
  #samples: { time: number; bytes: number }[] = [];
  #begun: number | null = null;

  /** @param time Monotonic time in milliseconds. */
  add(bytes: number, time: number): void {
    this.#begun ??= time;
    const last = this.#samples.at(-1);
    if (last !== undefined && time - last.time < SAMPLE_TIME) last.bytes += bytes;
    else this.#samples.push({ time, bytes });
    this.#forget(time);
  }

  /**
   * Whether the speed predicts the rest of the download. Shortly after the start it does not: the first files are
   * small, and connections start slowly.
   */
  isSettled(time: number): boolean {
    return this.#begun !== null && time - this.#begun >= SETTLING_TIME;
  }

  bytesPerSecond(time: number): number {
    this.#forget(time);
    const first = this.#samples[0];
    if (first === undefined) return 0;
    const bytes = this.#samples.reduce((sum, sample) => sum + sample.bytes, 0);
    // Divides by at least one second: shortly after the start, a single packet would look like a very high speed.
    return (bytes / Math.max(time - first.time, 1000)) * 1000;
  }

  #forget(time: number): void {
    const kept = this.#samples.findIndex((sample) => time - sample.time < WINDOW);
    this.#samples = kept < 0 ? [] : this.#samples.slice(kept);
  }
}
