import type { ModelEntry } from './model-entry.ts';
import type { WindowLimits } from './model-facts.ts';

/**
 * Smallest context window that can be set, in tokens: enough for an instruction, a question and an answer of some
 * lines.
 */
export const MIN_WINDOW = 256;

/** Returns the context window limits that a model's files state; null if they state none: the window is then fixed. */
export function windowLimits({ gguf, window }: Pick<ModelEntry, 'gguf' | 'window'>): WindowLimits | null {
  if (!gguf) return window ?? null;
  const { contextLength, cacheBytesPerToken } = gguf;
  return contextLength === null ? null : { most: contextLength, bytesPerToken: cacheBytesPerToken, layers: null };
}

/**
 * Returns the model with the context window that the user has set; unchanged if the user has set none, or if the window
 * is fixed.
 */
export function withContextWindow(entry: ModelEntry, tokens: number | undefined): ModelEntry {
  const limits = windowLimits(entry);
  if (tokens === undefined || limits === null) return entry;
  return { ...entry, contextWindow: Math.min(tokens, limits.most) };
}
