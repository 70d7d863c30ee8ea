import type { Engine } from '../../shared/engine/engine.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import type { JoinableLimits, SaveLog } from './joinable-completions.ts';
import type { GpuSource } from '../gpu-source.ts';
import type { GenerationTimeouts } from './generation-timeouts.ts';

/**
 * Looks up a model of this device; null if unknown.
 * @param site Root of the requesting site, with a trailing slash.
 */
export type FindModel = (id: string, site: string) => Promise<ModelEntry | null>;

export interface CompletionsOptions {
  readonly engine: Engine;
  readonly findModel: FindModel;
  /** Default: an unnamed GPU that is never lost. */
  readonly gpu?: GpuSource;
  /** Called when the engine hangs and only a new worker helps. */
  readonly onStuck?: () => void;
  /** Maximum number of waiting requests. Default: 8. */
  readonly capacity?: number;
  /**
   * Milliseconds without load progress after which waiting requests fail; after twice that, the load is stuck. Default:
   * {@link STANDSTILL_TIME}.
   */
  readonly standstillTime?: number;
  /** Default: {@link DEFAULT_TIMEOUTS}. */
  readonly timeouts?: Partial<GenerationTimeouts>;
  /** Overrides the default limits. */
  readonly joinable?: Partial<JoinableLimits>;
  /** Default: no log is stored. */
  readonly saveLog?: SaveLog;
}

export const DEFAULT_TIMEOUTS: GenerationTimeouts = { token: 60_000, prefill: 300_000, stop: 15_000 };

/** Milliseconds. A slow machine may compile a large model's shaders for a minute without finishing one. */
export const STANDSTILL_TIME = 120_000;

export const UNNAMED_GPU: GpuSource = { find: async () => null, isGone: async () => false };
