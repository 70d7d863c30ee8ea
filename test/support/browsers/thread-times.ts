import { readdirSync, readFileSync } from 'node:fs';
import type { Browser } from '@playwright/test';

/** Milliseconds of a clock tick of `/proc`. */
const TICK = 10;

/** Milliseconds of processor time by the kind of process and the name of the thread. */
export type TimesByThread = Readonly<Record<string, number>>;

/** Reads the processor time of the threads of Chromium's processes; none where `/proc` is missing. */
export class ThreadTimes {
  readonly #processes: readonly { readonly type: string; readonly id: number }[];

  private constructor(processes: readonly { readonly type: string; readonly id: number }[]) {
    this.#processes = processes;
  }

  /** Of the processes that run now. */
  static async of(browser: Browser): Promise<ThreadTimes> {
    const session = await browser.newBrowserCDPSession();
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    await session.detach();
    return new ThreadTimes(processInfo);
  }

  read(): TimesByThread {
    const times: Record<string, number> = {};
    for (const { type, id } of this.#processes) {
      for (const thread of threadsOf(id)) {
        const name = `${type} ${thread === `${id}` ? 'main' : read(`/proc/${id}/task/${thread}/comm`).trim()}`;
        times[name] = (times[name] ?? 0) + timeOf(read(`/proc/${id}/task/${thread}/stat`));
      }
    }
    return times;
  }

  /** Returns the time between two readings, divided by `count`, of threads that needed any. */
  static between(before: TimesByThread, after: TimesByThread, count: number): TimesByThread {
    const used = Object.entries(after).map(([name, time]) => [name, (time - (before[name] ?? 0)) / count] as const);
    return Object.fromEntries(used.filter(([, time]) => time > 0));
  }
}

function threadsOf(process: number): readonly string[] {
  try {
    return readdirSync(`/proc/${process}/task`);
  } catch {
    return [];
  }
}

function timeOf(status: string): number {
  // The name, in brackets, may contain anything.
  const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK;
}

/** Returns the text of a file; empty if its thread has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
