/** Milliseconds of progress by which the speed is estimated, and the least before anything is said. */
const WINDOW = 30_000;
const LEAST = 3000;

interface Sample {
  readonly time: number;
  readonly indexed: number;
}

/** Estimates how long the indexing of a collection takes, by its speed in the last half minute. */
export class TimeLeft {
  #samples: readonly Sample[] = [];

  /**
   * Notes how far the indexing is.
   * @param now Milliseconds of any clock.
   * @returns Seconds; null if nothing waits, or if the speed is not known yet.
   */
  update({ indexed_bytes: indexed, waiting_bytes: waiting }: Progress, now: number): number | null {
    const last = this.#samples.at(-1);
    // Fewer are indexed after files were deleted.
    if (waiting === 0 || (last !== undefined && indexed < last.indexed)) this.#samples = [];
    if (waiting === 0) return null;
    this.#samples = [...this.#samples.filter(({ time }) => time > now - WINDOW), { time: now, indexed }];
    const [first] = this.#samples as [Sample];
    const [elapsed, done] = [now - first.time, indexed - first.indexed];
    return elapsed < LEAST || done === 0 ? null : (waiting / done) * (elapsed / 1000);
  }
}

type Progress = Readonly<Record<'indexed_bytes' | 'waiting_bytes', number>>;
