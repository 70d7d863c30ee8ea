import { ApiError } from '../../shared/api-error.ts';
import { retryAfterSeconds } from '../../shared/http/retry-after.ts';

export interface TaskOptions {
  /**
   * Removes the task from the queue when it aborts. A running task must observe the signal itself. Default: the task
   * stays in the queue.
   */
  readonly signal?: AbortSignal;
  /** Called with the number of tasks ahead (including those that run), initially and on each change. */
  readonly onPosition?: (position: number) => void;
  /** False admits the task even if the queue is full. Default: true. */
  readonly bounded?: boolean;
  /** Whether the task lets all others go first, those that come later, too. Default: false. */
  readonly isBackground?: boolean;
  /** Whether the task can run beside the tasks that are running now. Default: it runs alone. */
  readonly canRunBeside?: () => boolean;
}

interface WaitingTask {
  readonly start: () => void;
  readonly onPosition: ((position: number) => void) | undefined;
  readonly canRunBeside: () => boolean;
  readonly isBackground: boolean;
  /** Number of tasks ahead that was reported last. */
  position: number;
}

/**
 * Starts tasks in order, each when the tasks before it have ended or when it can run beside them; tasks in the background
 * after all others. The number of waiting tasks, without those in the background, is limited.
 */
export class TaskQueue {
  readonly #capacity: number;
  readonly #waiting: WaitingTask[] = [];
  #running = 0;
  #lastDuration = 2000;

  /** @param capacity Maximum number of waiting tasks. */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get running(): number {
    return this.#running;
  }

  /** Number of waiting and running tasks. */
  get size(): number {
    return this.#waiting.length + this.#running;
  }

  /**
   * Runs `task` in its turn.
   * @throws ApiError `rate_limit_exceeded`, synchronously, if the queue is full; the signal's reason if it aborts while
   * the task waits.
   */
  add<Result>(task: () => Promise<Result>, options: TaskOptions = {}): Promise<Result> {
    const { signal = new AbortController().signal, onPosition, bounded = true, canRunBeside = () => false } = options;
    const { isBackground = false } = options;
    const foreground = this.#waiting.filter((task) => !task.isBackground).length;
    const mustWait = this.#running > 0 && !(foreground === 0 && canRunBeside());
    if (bounded && mustWait && foreground >= this.#capacity) {
      throw new ApiError(
        'rate_limit_exceeded',
        `The model is answering and ${this.#capacity} requests are waiting already. Try again in a moment.`,
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
        canRunBeside,
        isBackground,
        position: 0,
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        this.startNext();
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.splice(isBackground ? this.#waiting.length : foreground, 0, waiting);
      this.startNext();
    }).then(() => this.#run(task));
  }

  /** Starts the tasks that need not wait any longer. Called when `canRunBeside` of a waiting task may have changed. */
  startNext(): void {
    for (;;) {
      const [next] = this.#waiting;
      if (!next || (this.#running > 0 && !next.canRunBeside())) break;
      this.#waiting.shift();
      this.#running++;
      next.start();
    }
    this.#waiting.forEach((task, index) => {
      const position = this.#running + index;
      if (position !== task.position) task.onPosition?.(position);
      task.position = position;
    });
  }

  async #run<Result>(task: () => Promise<Result>): Promise<Result> {
    const started = performance.now();
    try {
      return await task();
    } finally {
      this.#lastDuration = performance.now() - started;
      this.#running--;
      this.startNext();
    }
  }
}
