import { ApiError } from '../shared/api-error.ts';

/** Milliseconds by which a timer may fire late without anything having happened. */
const SLACK = 2000;

/** Notices that an engine has stopped making progress. */
export class Watchdog {
  #time = Number.POSITIVE_INFINITY;
  #deadline = Number.POSITIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #forgiven = false;
  #bark: ((error: ApiError) => void) | undefined;

  /** Rejects with ApiError `engine_timeout` once a deadline has passed. */
  readonly expired = new Promise<never>((_, reject) => {
    this.#bark = reject;
  });

  constructor() {
    this.expired.catch(() => {});
  }

  /** Sets the deadline to `time` milliseconds from now. Cheap enough for each token. */
  expect(time: number): void {
    this.#forgiven = false;
    this.#extend(time);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#deadline = Number.POSITIVE_INFINITY;
  }

  #extend(time: number): void {
    const deadline = performance.now() + time;
    const sooner = deadline < this.#deadline;
    this.#time = time;
    this.#deadline = deadline;
    if (sooner || this.#timer === undefined) this.#wait();
  }

  #wait(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), this.#deadline - performance.now());
  }

  #look(): void {
    this.#timer = undefined;
    const late = performance.now() - this.#deadline;
    if (late < 0) return this.#wait();
    // The device slept, or this worker was busy: then the engine may be about to go on, and has its time once more.
    if (late > SLACK && !this.#forgiven) {
      this.#forgiven = true;
      return this.#extend(this.#time);
    }
    this.#bark?.(
      new ApiError('engine_timeout', 'The engine has not produced a token for too long and is being restarted.'),
    );
  }
}
