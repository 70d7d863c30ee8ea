import { ApiError } from '../../shared/api-error.ts';

/** A timer that is later than this many milliseconds means that the device slept or this worker was busy. */
const SLACK = 2000;

/** Detects that an engine makes no progress within a time limit. */
export class Watchdog {
  readonly #expired = new AbortController();
  #time = Number.POSITIVE_INFINITY;
  #deadline = Number.POSITIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the deadline was extended because the timer was very late. */
  #repeated = false;

  /** Aborts with an ApiError `engine_timeout` once a deadline has passed. */
  get expired(): AbortSignal {
    return this.#expired.signal;
  }

  /** Sets the deadline to `time` milliseconds from now. It is cheap enough to be called for each token. */
  expect(time: number): void {
    this.#repeated = false;
    this.#setDeadline(time);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#deadline = Number.POSITIVE_INFINITY;
  }

  #setDeadline(time: number): void {
    const deadline = performance.now() + time;
    const sooner = deadline < this.#deadline;
    this.#time = time;
    this.#deadline = deadline;
    if (sooner || this.#timer === undefined) this.#startTimer();
  }

  #startTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#onTimer(), this.#deadline - performance.now());
  }

  #onTimer(): void {
    this.#timer = undefined;
    const late = performance.now() - this.#deadline;
    if (late < 0) return this.#startTimer();
    // The device was asleep, or this worker was busy. The engine may have been stopped as well, so it gets the same
    // time again.
    if (late > SLACK && !this.#repeated) {
      this.#repeated = true;
      return this.#setDeadline(this.#time);
    }
    this.#expired.abort(
      new ApiError('engine_timeout', 'The engine has not produced a token for too long and is being restarted.'),
    );
  }
}
