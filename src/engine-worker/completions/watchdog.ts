import { ApiError } from '../../shared/api-error.ts';

/** Normal lateness of a timer, in milliseconds. */
const SLACK = 2000;

/** Detects that an engine stopped making progress. */
export class Watchdog {
  readonly #expired = new AbortController();
  #time = Number.POSITIVE_INFINITY;
  #deadline = Number.POSITIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the deadline was extended after a very late timer. */
  #repeated = false;

  /** Aborts with an ApiError `engine_timeout` once a deadline has passed. */
  get expired(): AbortSignal {
    return this.#expired.signal;
  }

  /** Sets the deadline to `time` milliseconds from now. Cheap enough per token. */
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
    // The device slept or this worker was busy, so the engine gets one more period.
    if (late > SLACK && !this.#repeated) {
      this.#repeated = true;
      return this.#setDeadline(this.#time);
    }
    this.#expired.abort(
      new ApiError('engine_timeout', 'The engine has not produced a token for too long and is being restarted.'),
    );
  }
}
