import type { Browser, Page } from 'playwright';

/** The fields of Chromium's `trace_event` format that are used here. Times are in microseconds. */
interface TraceFile {
  readonly traceEvents: readonly {
    readonly name: string;
    readonly pid: number;
    readonly tid: number;
    /** Processor time of a finished task. */
    readonly tdur?: number;
    readonly args?: { readonly name?: string };
  }[];
}

/**
 * Milliseconds of processor time of each task on a page's main thread during `act`, longest first. Unlike elapsed time,
 * they do not depend on the machine's other load.
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
