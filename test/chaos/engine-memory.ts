import type { ChaosBrowser } from './chaos-browser.ts';

/** Bytes that the engine worker uses after a garbage collection; null unless there is exactly one engine. */
export async function engineMemory(browser: ChaosBrowser): Promise<number | null> {
  const [engine, ...others] = browser.engines;
  if (!engine || others.length > 0) return null;
  return browser.withEngine(engine, async (session) => {
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize, embedderHeapUsedSize, backingStorageSize } = await session.send('Runtime.getHeapUsage');
    return usedSize + embedderHeapUsedSize + backingStorageSize;
  });
}
