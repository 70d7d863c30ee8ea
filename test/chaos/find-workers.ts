import type { Target } from '../../src/command-line/browser/dev-tools-connection.ts';
import { ENGINE_LOCK_PREFIX, TASK_LOCK_PREFIX } from '../../src/shared/locks/site-locks.ts';
import type { ChaosContext } from './fault.ts';

export interface FoundWorkers {
  /** The engine workers: shared ones, and dedicated ones of a tab. */
  readonly engines: readonly Target[];
  /** The workers of pages in which llama.cpp computes, without their thread workers. */
  readonly llamaCpp: readonly Target[];
}

/**
 * Finds the running workers. A dedicated worker is known by the lock that it holds, because the browser tells the
 * address of its script to attached debuggers only. After the site's data were cleared, the locks of older workers are
 * invisible, and so are their dedicated workers here. Every shared worker is an engine.
 * @param locks The held locks of the origin.
 */
export function workersByLock(workers: readonly Target[], locks: readonly LockInfo[]): FoundWorkers {
  const holders = (prefix: string) => {
    // In shared mode other contexts wait for the end of a worker.
    const held = locks.filter(({ name, mode }) => mode === 'exclusive' && name?.startsWith(prefix));
    const ids = new Set(held.map(({ clientId }) => clientId));
    return workers.filter(({ targetId, type }) => type === 'worker' && ids.has(targetId));
  };
  return {
    engines: [...workers.filter(({ type }) => type === 'shared_worker'), ...holders(ENGINE_LOCK_PREFIX)],
    llamaCpp: holders(TASK_LOCK_PREFIX),
  };
}

/** Finds the running workers. @throws Error if no tab tells the locks, so that a fault is not counted as applied. */
export async function findWorkers({
  browser,
  tabs,
}: {
  readonly browser: Pick<ChaosContext['browser'], 'workers'>;
  readonly tabs: Pick<ChaosContext['tabs'], 'open'>;
}): Promise<FoundWorkers> {
  for (const tab of tabs.open) {
    const locks = await tab.callBriefly('locks');
    if (locks) return workersByLock(browser.workers, locks.held);
  }
  throw new Error('No tab tells of the locks.');
}
