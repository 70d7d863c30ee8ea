import type { CDPSession, Page } from '@playwright/test';

/** The longest task of a page's thread. */
export interface LongestTask {
  /** Milliseconds from its beginning to its end. On a busy machine it waits for a processor meanwhile. */
  readonly duration: number;
  /** Milliseconds of processor time of the task that took most of it. */
  readonly processorTime: number;
  /** Where in Chromium's source the task of that duration was posted, and its own processor time. */
  readonly what: string;
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string; readonly src_file?: string; readonly src_func?: string };
}

/** Notes the tasks of Chromium's main threads of pages by a trace. */
export class PageTasks {
  readonly #session: CDPSession;
  #events: TraceEvent[] = [];

  private constructor(session: CDPSession) {
    this.#session = session;
    session.on('Tracing.dataCollected', ({ value }) => this.#events.push(...(value as unknown as TraceEvent[])));
  }

  static async of(page: Page): Promise<PageTasks> {
    return new PageTasks(await page.context().newCDPSession(page));
  }

  /** Runs an action, and returns the longest task meanwhile. */
  async during(action: () => Promise<void>): Promise<LongestTask> {
    this.#events = [];
    await this.#session.send('Tracing.start', { transferMode: 'ReportEvents', categories: 'toplevel' });
    await action();
    const complete = new Promise<void>((resolve) => this.#session.once('Tracing.tracingComplete', () => resolve()));
    await this.#session.send('Tracing.end');
    await complete;
    const threads = new Set(this.#events.filter(namesPageThread).map(threadOf));
    const tasks = this.#events.filter((event) => event.ph === 'X' && threads.has(threadOf(event)));
    return {
      duration: Math.round(longest(tasks.map(({ dur = 0 }) => dur)) / 1000),
      processorTime: Math.round(longest(tasks.map(({ tdur = 0 }) => tdur)) / 1000),
      what: describe(tasks.toSorted((one, other) => (other.dur ?? 0) - (one.dur ?? 0)).find(isPosted)),
    };
  }
}

function isPosted({ args }: TraceEvent): boolean {
  return args?.src_file !== undefined;
}

function describe(task: TraceEvent | undefined): string {
  const { src_file: file = '', src_func: name = '' } = task?.args ?? {};
  return `${file.split('/').at(-1)} ${name}, ${((task?.tdur ?? 0) / 1000).toFixed(1)} ms of processor time`;
}

function threadOf({ pid, tid }: TraceEvent): string {
  return `${pid} ${tid}`;
}

function namesPageThread({ name, args }: TraceEvent): boolean {
  return name === 'thread_name' && args?.name === 'CrRendererMain';
}

function longest(times: readonly number[]): number {
  return times.reduce((most, time) => Math.max(most, time), 0);
}
