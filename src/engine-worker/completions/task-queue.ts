import { ApiError } from '../../shared/api-error.ts';
import { retryAfterSeconds } from '../../shared/http/retry-after.ts';

export interface TaskOptions {
  /**
   * Removes the task from the queue when it aborts. A running task must observe the signal itself. Default: the task
   * stays in the queue.
   */
  readonly signal?: AbortSignal;
  /** Called with the number of tasks ahead (including the running one), initially and on each change. */
  readonly onPosition?: (position: number) => void;
  /** False admits the task even if the queue is full. Default: true. */
  readonly bounded?: boolean;
}

interface WaitingTask {
  readonly start: () => void;
  readonly onPosition: ((position: number) => void) | undefined;
}

/** Runs one task at a time, in order. The number of waiting tasks is limited. */
export class TaskQueue {
  readonly #capacity: number;
  readonly #waiting: WaitingTask[] = [];
  #running = false;
  #lastDuration = 2000;

  /** @param capacity Maximum number of waiting tasks. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Number of waiting and running tasks. */
  get size(): number {
    return this.#waiting.length + (this.#running ? 1 : 0);
  }

  /**
   * Runs `task` in its turn.
   * @throws ApiError `rate_limit_exceeded`, synchronously, if the queue is full; the signal's reason if it aborts while
   * the task waits.
   */
  add<Result>(task: () => Promise<Result>, options: TaskOptions = {}): Promise<Result> {
    const { signal = new AbortController().signal, onPosition, bounded = true } = options;
    if (bounded && this.#running && this.#waiting.length >= this.#capacity) {
      throw new ApiError(
        'rate_limit_exceeded',
        `The model answers one request at a time and ${this.#capacity} are waiting already. Try again in a moment.`,
        { retryAfter: retryAfterSeconds(this.#lastDuration / 1000) },
      );
    }
    return new Promise<void>((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const waiting: WaitingTask = {
        start: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
        onPosition,
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        this.#notifyPositions();
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(waiting);
      if (this.#running) onPosition?.(this.#waiting.length);
      else this.#startNext();
    }).then(() => this.#run(task));
  }

  async #run<Result>(task: () => Promise<Result>): Promise<Result> {
    const started = performance.now();
    try {
      return await task();
    } finally {
      this.#lastDuration = performance.now() - started;
      this.#running = false;
      this.#startNext();
    }
  }

  #startNext(): void {
    const next = this.#waiting.shift();
    if (!next) return;
    this.#running = true;
    next.start();
    this.#notifyPositions();
  }

  #notifyPositions(): void {
    this.#waiting.forEach(({ onPosition }, index) => onPosition?.(index + 1));
  }
}
