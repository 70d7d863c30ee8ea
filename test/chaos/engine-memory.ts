import type { ChaosBrowser } from './chaos-browser.ts';
import { findWorkers } from './find-workers.ts';
import type { Tabs } from './tabs/tabs.ts';

/** Bytes that the engine worker uses after a garbage collection; null unless exactly one engine is found. */
export async function engineMemory(browser: ChaosBrowser, tabs: Tabs): Promise<number | null> {
  const found = await findWorkers({ browser, tabs }).catch(() => null);
  const [engine, ...others] = found?.engines ?? [];
  if (!engine || others.length > 0) return null;
  return browser.withEngine(engine, async (session) => {
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize, embedderHeapUsedSize, backingStorageSize } = await session.send('Runtime.getHeapUsage');
    return usedSize + embedderHeapUsedSize + backingStorageSize;
  });
}
