import type { Remainder } from './leaks.ts';
import type { Recovery } from './recovery/await-recovery.ts';
import type { DeadBrowser } from './recovery/dead-browser.ts';
import type { Wedge } from './settle.ts';
import type { UsedMemory } from './used-memory.ts';
import type { RequestRecord } from './tabs/traffic.ts';

export interface FaultRecord {
  readonly name: string;
  /** Milliseconds since the run began. */
  readonly time: number;
  /** Number of the tab that the fault acted on. */
  readonly tab: number;
  /** Why the browser refused the fault. */
  readonly problem?: string;
}

/** With milliseconds since the run began. */
export type TimedWedge = Wedge & { readonly time: number };

export interface ChaosResult {
  readonly seed: number;
  /** Id of the model that was asked. */
  readonly model: string;
  /** Whether pages had SharedWorker. */
  readonly sharedWorker: boolean;
  /** Number of planned faults. */
  readonly planned: number;
  readonly faults: readonly FaultRecord[];
  readonly requests: readonly RequestRecord[];
  readonly recoveries: readonly Recovery[];
  /** What was not as it should be when all faults had ended, with milliseconds since the run began. */
  readonly uncalm: readonly { readonly time: number; readonly sentence: string }[];
  /** Number of texts that persons wrote into the chat page. */
  readonly texts: number;
  readonly wedges: readonly TimedWedge[];
  /**
   * Stuck tabs of a browser that could not start an empty page or its workers either, which is a defect of the browser.
   */
  readonly deadBrowsers: readonly DeadBrowser[];
  /** The output of each browser that ended unexpectedly, which is a defect of the browser. */
  readonly browserEnds: readonly { readonly time: number; readonly report: string }[];
  /** Milliseconds since the run began at which a page was loaded again because its load had not begun. */
  readonly stalls: readonly number[];
  /** The workers, locks and memory that remained at the end; null if the run ended early. */
  readonly remainder: Remainder | null;
  /** Memory of the idle site before the first and after the last fault, in the last browser. */
  readonly memory: { readonly start: UsedMemory | null; readonly end: UsedMemory | null };
  /** Milliseconds. */
  readonly duration: number;
}
