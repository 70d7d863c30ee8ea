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
  /** False admits the task even if the queue is full, and gives it none of the places of other tasks. Default: true. */
  readonly bounded?: boolean;
  /** Whether the task lets all others go first, those that come later, too. Default: false. */
  readonly isBackground?: boolean;
  /** Whose task it is. Each lane has its own limit, and the lanes take turns. Default: one that all such tasks share. */
  readonly lane?: string;
  /** Whether the task takes milliseconds, such as counting tokens. Such tasks have a limit of their own. Default: false. */
  readonly isShort?: boolean;
  /** Whether the task can run beside the tasks that are running now. Default: it runs alone. */
  readonly canRunBeside?: () => boolean;
}

interface WaitingTask {
  readonly start: () => void;
  readonly onPosition: ((position: number) => void) | undefined;
  readonly canRunBeside: () => boolean;
  readonly bounded: boolean;
  readonly isBackground: boolean;
  readonly lane: string;
  readonly isShort: boolean;
  /** Number of tasks ahead that was reported last. */
  position: number;
}

/** How many short tasks of a lane may wait for each other task that may. A page that counts tokens keeps no one from asking. */
const SHORT_TASKS = 8;

/** Tasks in the foreground that may start in a row while others wait. Then one of the others does. */
const MAX_OVERTAKING = 4;

/**
 * Starts tasks in order, each when the tasks before it have ended or when it can run beside them; tasks in the background
 * after all others. If several lanes have tasks, the lanes take turns, those in the foreground first. The number of waiting
 * tasks of a lane, without those in the background and unbounded ones, is limited, and so is that of its short tasks.
 */
export class TaskQueue {
  readonly #capacity: number;
  readonly #isInForeground: (lane: string) => boolean;
  /** The lanes of the tasks that were started, in the order of their last start. */
  #served: readonly string[] = [];
  /** How many tasks of lanes in the foreground were started in a row while tasks of other lanes waited. */
  #overtaking = 0;
  #waiting: WaitingTask[] = [];
  #running = 0;
  #lastDuration = 2000;

  /**
   * @param capacity Maximum number of waiting tasks of a lane, short ones apart.
   * @param isInForeground Whether a lane goes first. Default: no lane does.
   */
  constructor(capacity: number, isInForeground: (lane: string) => boolean = () => false) {
    this.#capacity = capacity;
    this.#isInForeground = isInForeground;
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
    const { isBackground = false, lane = '', isShort = false } = options;
    const foreground = this.#waiting.filter((task) => !task.isBackground);
    const mustWait = this.#running > 0 && !(foreground.length === 0 && canRunBeside());
    const alike = foreground.filter((task) => task.bounded && task.lane === lane && task.isShort === isShort).length;
    const capacity = this.#capacity * (isShort ? SHORT_TASKS : 1);
    if (bounded && mustWait && alike >= capacity) {
      throw new ApiError(
        'rate_limit_exceeded',
        `The model is answering and ${capacity} requests are waiting already. Try again in a moment.`,
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
        bounded,
        isBackground,
        lane,
        isShort,
        position: 0,
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        this.startNext();
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.splice(isBackground ? this.#waiting.length : foreground.length, 0, waiting);
      this.startNext();
    }).then(() => this.#run(task));
  }

  /** Starts the tasks that need not wait any longer. Called when `canRunBeside` of a waiting task may have changed. */
  startNext(): void {
    for (;;) {
      this.#takeTurns();
      const [next] = this.#waiting;
      if (!next || (this.#running > 0 && !next.canRunBeside())) break;
      this.#waiting.shift();
      const isFirst = this.#isInForeground(next.lane);
      const overtakes = isFirst && this.#waiting.some(({ lane }) => !this.#isInForeground(lane));
      this.#overtaking = overtakes ? this.#overtaking + 1 : 0;
      this.#served = [...this.#served.filter((lane) => lane !== next.lane), next.lane];
      this.#running++;
      next.start();
    }
    this.#waiting.forEach((task, index) => {
      const position = this.#running + index;
      if (position !== task.position) task.onPosition?.(position);
      task.position = position;
    });
  }

  /** Brings the waiting tasks into the order in which they start, if they are of several lanes. */
  #takeTurns(): void {
    if (new Set(this.#waiting.map(({ lane }) => lane)).size < 2) return;
    const turns = new Map<string, number>();
    // How many tasks of its lane are before a task, and when the lane was served last (−1: never).
    const ranked = this.#waiting.map((task) => {
      const turn = turns.get(task.lane) ?? 0;
      if (!task.isBackground) turns.set(task.lane, turn + 1);
      return { task, turn, served: this.#served.indexOf(task.lane), isFirst: this.#isInForeground(task.lane) };
    });
    const direction = this.#overtaking < MAX_OVERTAKING ? 1 : -1;
    this.#waiting = ranked
      .toSorted(
        (one, other) =>
          Number(one.task.isBackground) - Number(other.task.isBackground) ||
          direction * (Number(other.isFirst) - Number(one.isFirst)) ||
          one.turn - other.turn ||
          one.served - other.served,
      )
      .map(({ task }) => task);
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
