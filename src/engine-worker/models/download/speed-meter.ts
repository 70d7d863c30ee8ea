const WINDOW = 5000;
/** Packets within this time are counted as one sample, so that a fast line does not make thousands. */
const SAMPLE_TIME = 100;

/** Bytes a second, averaged over the last five seconds: steady enough to read, quick enough to be true. */
export class SpeedMeter {
  #samples: { time: number; bytes: number }[] = [];

  /** @param time Milliseconds of any clock that does not jump. */
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
    // At least a second, or the first packet would pass for the speed of the line.
    return (bytes / Math.max(time - first.time, 1000)) * 1000;
  }

  #forget(time: number): void {
    const kept = this.#samples.findIndex((sample) => time - sample.time < WINDOW);
    this.#samples = kept < 0 ? [] : this.#samples.slice(kept);
  }
}
