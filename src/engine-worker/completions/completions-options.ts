import type { Engine } from '../../shared/engine/engine.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import type { JoinableLimits, SaveLog } from './joinable-completions.ts';
import type { GpuSource } from '../gpu-source.ts';
import type { GenerationTimeouts } from './generation-timeouts.ts';

/**
 * Looks up a model of this device; null for an id that is not among them.
 * @param site Root of the asking site with a trailing slash.
 */
export type FindModel = (id: string, site: string) => Promise<ModelEntry | null>;

export interface CompletionsOptions {
  readonly engine: Engine;
  readonly findModel: FindModel;
  /** The graphics device. Default: one that is always there and has no name. */
  readonly gpu?: GpuSource;
  /** Called when the engine can neither answer, nor be unloaded, nor finish a load: only a new worker helps. */
  readonly onStuck?: () => void;
  /** Most requests that wait beside the running one. Default: 8. */
  readonly capacity?: number;
  /**
   * Milliseconds without progress after which nobody is kept waiting for a load; after twice as many it is given up.
   * Default: {@link STANDSTILL_TIME}.
   */
  readonly standstillTime?: number;
  /** Default: {@link DEFAULT_TIMEOUTS}. */
  readonly timeouts?: Partial<GenerationTimeouts>;
  /** For how long a completion can be joined. */
  readonly joinable?: Partial<JoinableLimits>;
  /** Default: no log is stored. */
  readonly saveLog?: SaveLog;
}

export const DEFAULT_TIMEOUTS: GenerationTimeouts = { token: 60_000, prefill: 300_000, stop: 15_000 };

/**
 * Programs for the graphics device are compiled many at a time, and on a slow machine none of a large model's may be
 * ready for a minute.
 */
export const STANDSTILL_TIME = 120_000;

export const UNNAMED_GPU: GpuSource = { find: async () => null, isGone: async () => false };
