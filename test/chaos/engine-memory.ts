import type { Target } from '../../src/command-line/browser/dev-tools-connection.ts';
import type { ChaosBrowser } from './chaos-browser.ts';

/** Bytes that the engine worker uses after a garbage collection; null unless there is exactly one engine. */
export async function engineMemory(browser: ChaosBrowser, engines: readonly Target[]): Promise<number | null> {
  const [engine, ...others] = engines;
  if (!engine || others.length > 0) return null;
  return browser.withEngine(engine, async (session) => {
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize, embedderHeapUsedSize, backingStorageSize } = await session.send('Runtime.getHeapUsage');
    return usedSize + embedderHeapUsedSize + backingStorageSize;
  });
}
