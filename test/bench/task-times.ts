import type { Browser, Page } from 'playwright';

/** The events that are used of a trace, in the format of Chromium's `trace_event`. Times are in microseconds. */
interface TraceFile {
  readonly traceEvents: readonly {
    readonly name: string;
    readonly pid: number;
    readonly tid: number;
    /** Of a finished task: the processor time of its thread. */
    readonly tdur?: number;
    readonly args?: { readonly name?: string };
  }[];
}

/**
 * Processor time of each task that ran on the main thread of a page while something was done with it, in milliseconds, the
 * longest first. Unlike the time on the clock it does not grow with what else the machine has to do.
 */
export async function taskTimes(browser: Browser, page: Page, act: () => Promise<void>): Promise<readonly number[]> {
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline', '__metadata'] });
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as TraceFile;
  const main = new Set(
    traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(threadOf),
  );
  const tasks = traceEvents.filter((event) => event.name === 'RunTask' && main.has(threadOf(event)));
  if (tasks.length === 0) throw new Error('The trace has no task of a page.');
  return tasks.map(({ tdur = 0 }) => tdur / 1000).toSorted((a, b) => b - a);
}

function threadOf({ pid, tid }: { readonly pid: number; readonly tid: number }): string {
  return `${pid} ${tid}`;
}
