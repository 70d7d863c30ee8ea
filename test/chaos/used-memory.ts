import type { ChaosBrowser } from './chaos-browser.ts';
import { findWorkers } from './find-workers.ts';
import { memoryOf } from './session-processes.ts';
import type { Tabs } from './tabs/tabs.ts';

/** Bytes in use; null if the number could not be found out. */
export interface UsedMemory {
  /** Objects of the only engine worker, after a garbage collection. */
  readonly engine: number | null;
  /** All processes of the browser: every page and worker, also those of llama.cpp. */
  readonly browser: number | null;
}

export async function measureMemory(browser: ChaosBrowser, tabs: Tabs): Promise<UsedMemory> {
  return { engine: await engineMemory(browser, tabs), browser: memoryOf(browser.pid) };
}

async function engineMemory(browser: ChaosBrowser, tabs: Tabs): Promise<number | null> {
  const found = await findWorkers({ browser, tabs }).catch(() => null);
  const [engine, ...others] = found?.engines ?? [];
  if (!engine || others.length > 0) return null;
  return browser.withEngine(engine, async (session) => {
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize, embedderHeapUsedSize, backingStorageSize } = await session.send('Runtime.getHeapUsage');
    return usedSize + embedderHeapUsedSize + backingStorageSize;
  });
}
