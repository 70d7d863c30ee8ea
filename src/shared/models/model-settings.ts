import type { ModelEntry } from './model-entry.ts';
import { withContextWindow } from './window-limits.ts';

/** What the user has set for a downloaded model. Each is absent if the user has not set it. */
export interface ModelSettings {
  /** See {@link ModelEntry.contextWindow}; tokens. */
  readonly contextWindow?: number;
  /** See {@link ModelEntry.parallel}. */
  readonly parallel?: number;
  /** See {@link ModelEntry.keepAlive}; seconds. */
  readonly keepAlive?: number;
}

/** Limit of {@link ModelEntry.parallel}. */
export const MAX_PARALLEL = 8;

/**
 * Whether a model can answer several requests at once. llama.cpp encodes an image in one step, during which other answers
 * would get no token and time out.
 */
export function canBeParallel({ format, embedding, mmproj }: ModelEntry): boolean {
  return format === 'gguf' && embedding === undefined && mmproj === undefined;
}

/** Returns the model with the user's settings, as far as they apply to it. */
export function withSettings(entry: ModelEntry, settings: ModelSettings): ModelEntry {
  const { contextWindow, parallel, keepAlive } = settings;
  return {
    ...withContextWindow(entry, contextWindow),
    ...(parallel !== undefined && canBeParallel(entry) && { parallel }),
    ...(keepAlive !== undefined && { keepAlive }),
  };
}
