import { ApiError } from '../../shared/api-error.ts';
import { withAbort } from '../../shared/timeout.ts';

/** Milliseconds without a step after which a turn is given up. */
const STANDSTILL = 10_000;

/** The time is counted in this many parts, so that a device that has slept meanwhile gives nothing up. */
const PARTS = 4;

/** Says that one more thing is done. @throws ApiError once the turn has been given up: the work must not go on. */
export type Step = () => void;

/**
 * Does one thing after the other, in the order in which they were asked for. Two deletions at once, or a deletion and a
 * download, could delete the files of each other.
 */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * @param work Calls `step` before each thing that it does. It may take any time, as long as it goes on. The storage may
   * hang, as after the site's data were cleared: then the next turn comes after ten seconds.
   * @throws ApiError `storage_unavailable` if the turn was given up; any error of `work`.
   */
  async take(work: (step: Step) => Promise<void>): Promise<void> {
    const over = new AbortController();
    let parts = 0;
    let timer: ReturnType<typeof setInterval> | undefined;
    const step = () => {
      over.signal.throwIfAborted();
      parts = 0;
    };
    const begin = () => {
      timer = setInterval(() => ++parts > PARTS && over.abort(standstill()), STANDSTILL / PARTS);
      return work(step);
    };
    const mine = withAbort(this.#last.then(begin), over.signal).finally(() => clearInterval(timer));
    this.#last = mine.catch(() => {});
    await mine;
  }
}

function standstill(): ApiError {
  return new ApiError(
    'storage_unavailable',
    "This browser's storage does not answer. Reload all tabs of this site and try again.",
  );
}
