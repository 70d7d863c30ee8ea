const WINDOW = 5000;
/** Milliseconds whose packets form one sample; bounds the number of samples. */
const SAMPLE_TIME = 100;

/** Bytes per second, averaged over the last five seconds. */
export class SpeedMeter {
  #samples: { time: number; bytes: number }[] = [];

  /** @param time Monotonic time in milliseconds. */
  add(bytes: number, time: number): void {
    const last = this.#samples.at(-1);
    if (last !== undefined && time - last.time < SAMPLE_TIME) last.bytes += bytes;
    else this.#samples.push({ time, bytes });
    this.#forget(time);
  }

  bytesPerSecond(time: number): number {
    this.#forget(time);
    const first = this.#samples[0];
    if (first === undefined) return 0;
    const bytes = this.#samples.reduce((sum, sample) => sum + sample.bytes, 0);
    // At least a second, or the first packet would inflate the speed.
    return (bytes / Math.max(time - first.time, 1000)) * 1000;
  }

  #forget(time: number): void {
    const kept = this.#samples.findIndex((sample) => time - sample.time < WINDOW);
    this.#samples = kept < 0 ? [] : this.#samples.slice(kept);
  }
}
