import { ApiError } from '../../shared/api-error.ts';
import { retryAfterSeconds } from '../../shared/http/retry-after.ts';

export interface TaskOptions {
  /** Removes the task while it waits. A running task must watch it by itself. Default: nothing does. */
  readonly signal?: AbortSignal;
  /** Told how many tasks are ahead, the running one included, at first and after each change. */
  readonly onPosition?: (position: number) => void;
  /** False lets the task in although the queue is full. Default: true. */
  readonly bounded?: boolean;
}

interface WaitingTask {
  readonly start: () => void;
  readonly onPosition: ((position: number) => void) | undefined;
}

/** Runs one task at a time, first come first served. What waits is bounded and can leave at any time. */
export class TaskQueue {
  readonly #capacity: number;
  readonly #waiting: WaitingTask[] = [];
  #running = false;
  #lastDuration = 2000;

  /** @param capacity Most tasks that may wait beside the running one. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Tasks that wait or run. */
  get size(): number {
    return this.#waiting.length + (this.#running ? 1 : 0);
  }

  /**
   * Runs `task` when its turn comes and settles as it does.
   * @throws ApiError `rate_limit_exceeded`, synchronously, when the queue is full; the signal's reason when
   * it aborts before the turn has come.
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
