import type { Target } from '../../src/command-line/browser/dev-tools-connection.ts';
import type { ChaosContext } from './fault.ts';

export interface FoundWorkers {
  /** The engine workers: shared ones, and dedicated ones of a tab. */
  readonly engines: readonly Target[];
  /** The workers of pages in which llama.cpp computes, without their thread workers. */
  readonly llamaCpp: readonly Target[];
}

/** Name of the lock that a worker holds while it runs a task for the engine. */
const TASK_LOCK = /^tabserve-task-(?!wanted-)/;

/**
 * Finds the running workers. A worker's script address cannot tell them apart, because the browser tells it to attached
 * debuggers only. But a lock names the worker that holds it.
 */
export async function findWorkers({
  browser,
  tabs,
}: {
  readonly browser: Pick<ChaosContext['browser'], 'workers'>;
  readonly tabs: Pick<ChaosContext['tabs'], 'open'>;
}): Promise<FoundWorkers> {
  const locks = await tabs.open[0]?.callBriefly('locks');
  const holders = new Set(
    locks?.held.filter(({ name }) => TASK_LOCK.test(name ?? '')).map(({ clientId }) => clientId ?? ''),
  );
  const { workers } = browser;
  return {
    engines: workers.filter(({ targetId, parentId }) => !holders.has(targetId) && !holders.has(parentId ?? '')),
    llamaCpp: workers.filter(({ targetId }) => holders.has(targetId)),
  };
}
