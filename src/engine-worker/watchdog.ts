import { ApiError } from '../shared/api-error.ts';

/** Notices that an engine has stopped making progress. */
export class Watchdog {
  #deadline = Number.POSITIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;
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
    const deadline = performance.now() + time;
    const sooner = deadline < this.#deadline;
    this.#deadline = deadline;
    if (sooner || this.#timer === undefined) this.#wait();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#deadline = Number.POSITIVE_INFINITY;
  }

  #wait(): void {
    clearTimeout(this.#timer);
    const remaining = this.#deadline - performance.now();
    if (remaining > 0) {
      this.#timer = setTimeout(() => this.#wait(), remaining);
      return;
    }
    this.#bark?.(new ApiError('engine_timeout', 'The engine has not produced a token for too long and is being restarted.'));
  }
}
