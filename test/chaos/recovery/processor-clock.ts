import { cpus } from 'node:os';
import { processesOf } from '../session-processes.ts';

/** Milliseconds between two measurements. */
const INTERVAL = 250;

/** Least share of the elapsed time that counts, so that waiting ends on a busy machine. */
const SLOWEST = 0.2;

/**
 * A clock of the time in which the browser could compute: it stands almost still while other programs have all the
 * processors, so that a busy machine is not mistaken for a slow recovery. Time in which the browser itself computes
 * counts in full, and so does time in which nothing does. Where `/proc` is missing, the browser counts as another program.
 */
export class ProcessorClock {
  readonly #session: number | null;
  readonly #timer: ReturnType<typeof setInterval>;
  #counted = 0;
  #rate = 1;
  #since = performance.now();
  #before: ProcessorTimes;
  #cores = 0;

  /** @param session The process whose session (group of processes) is the browser's. Default: the browser counts as another program. */
  constructor(session: number | null = null) {
    this.#session = session;
    this.#before = processorTimes(session);
    this.#timer = setInterval(() => this.#measure(), INTERVAL);
    this.#timer.unref();
  }

  /** Milliseconds since the clock was made. */
  get now(): number {
    return this.#counted + (performance.now() - this.#since) * this.#rate;
  }

  /** Cores that the browser used in the last interval. */
  get cores(): number {
    return this.#cores;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #measure(): void {
    const now = performance.now();
    const times = processorTimes(this.#session);
    const elapsed = Math.max(1, now - this.#since);
    this.#cores = Math.max(0, times.own - this.#before.own) / elapsed;
    const idle = Math.max(0, times.idle - this.#before.idle) / elapsed;
    this.#rate = Math.min(1, Math.max(SLOWEST, idle + this.#cores));
    // The rate of an interval is known at its end only.
    this.#counted += elapsed * this.#rate;
    this.#since = now;
    this.#before = times;
  }
}

interface ProcessorTimes {
  readonly idle: number;
  readonly own: number;
}

/** Milliseconds of all cores since the machine started. */
function processorTimes(session: number | null): ProcessorTimes {
  return {
    idle: cpus().reduce((sum, { times }) => sum + times.idle, 0),
    own: session === null ? 0 : processesOf(session).reduce((sum, { time }) => sum + time, 0),
  };
}
