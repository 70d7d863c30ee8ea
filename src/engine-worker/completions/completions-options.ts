import type { Engine } from '../../shared/engine/engine.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import type { AnswersElsewhere } from './answers-elsewhere.ts';
import type { JoinableLimits } from './joinable-completions.ts';
import type { SaveLog } from './log-saver.ts';
import type { Completion } from './completion.ts';
import type { GpuSource } from '../gpu-source.ts';
import type { GenerationTimeouts } from './generation-timeouts.ts';

/**
 * Looks up a model of this device; null for an unknown id.
 * @param site Root address of the site whose client sent the request, with a trailing slash.
 */
export type FindModel = (id: string, site: string) => Promise<ModelEntry | null>;

export interface CompletionsOptions {
  readonly engine: Engine;
  readonly findModel: FindModel;
  /** Default: a GPU without a name that is never lost. */
  readonly gpu?: GpuSource;
  /** Called when the engine hangs and only a new worker can help. Default: nothing is called. */
  readonly onStuck?: () => void;
  /** Limit of waiting requests of a site. Default: 8. */
  readonly capacity?: number;
  /**
   * Milliseconds without load progress after which the waiting requests fail. After twice this time the load counts as
   * stuck. Default: {@link STANDSTILL_TIME}.
   */
  readonly standstillTime?: number;
  /** Default: `DEFAULT_GENERATION_TIMEOUTS`. */
  readonly timeouts?: Partial<GenerationTimeouts>;
  /** Replaces some of the default limits. */
  readonly joinable?: Partial<JoinableLimits>;
  /** Default: no log is stored. */
  readonly saveLog?: SaveLog;
  /** Default: no other engine writes answers. */
  readonly elsewhere?: AnswersElsewhere;
  /** Whether a site's requests go before those of other sites. Default: they take turns. */
  readonly isInForeground?: (site: string) => boolean;
  /** Returns `CompletionRequest.cacheScope` for the requests of a site. Default: undefined. */
  readonly cacheScope?: (site: string) => string | undefined;
  /** Called when the answer of a completion has ended in any way, before the next one begins. Default: nothing is called. */
  readonly onAnswered?: (completion: Completion) => void;
}

/**
 * Milliseconds. Long, because a slow machine may compile the shaders of a large model for a minute without reporting
 * progress.
 */
export const STANDSTILL_TIME = 120_000;

export const UNNAMED_GPU: GpuSource = { find: async () => null, isGone: async () => false };
