import type { ChaosModel } from './chaos-model.ts';
import type { RightAnswers } from './judge/right-answers.ts';

export interface ChaosOptions {
  /** Repeats the faults and questions of an earlier run, as far as the browser allows. */
  readonly seed: number;
  /** Number of faults. */
  readonly faults: number;
  /** Names of the faults to choose from; empty for all. */
  readonly only: readonly string[];
  /** Names of faults to leave out. */
  readonly without: readonly string[];
  /** Whether pages have SharedWorker. Without it, the engine runs in the dedicated worker of one tab. */
  readonly sharedWorker: boolean;
  readonly model: ChaosModel;
  /** Number of tabs that send requests. */
  readonly tabs: number;
  /** The expected answers. */
  readonly answers: RightAnswers;
  /** Whether every fault is printed. */
  readonly verbose: boolean;
  /** Folder of the built site. */
  readonly dist: string;
  /** Folder of another build, which the site publishes in turns with the first. Default: none. */
  readonly otherBuild?: string | undefined;
  /** Ends the run early. */
  readonly signal: AbortSignal;
  /** Called with a sentence for each event. */
  readonly report: (sentence: string) => void;
}
