import type { ModelEntry } from './model-entry.ts';

/** The smallest window that can be set, in tokens: an instruction, a question and an answer of some lines. */
export const SMALLEST_WINDOW = 256;

/** How large the context window of a model may be, and what that takes. */
export interface WindowLimits {
  /** Tokens that the model was made for. */
  readonly most: number;
  /** Bytes of the KV cache for one token; null if unknown. */
  readonly bytesPerToken: number | null;
  /** Layers that divide these bytes; each has a buffer of its own. Null if unknown. */
  readonly layers: number | null;
}

/** Returns what a model's own files say about its window; null where they do not, and the window is fixed. */
export function windowLimits({ gguf, window }: Pick<ModelEntry, 'gguf' | 'window'>): WindowLimits | null {
  if (!gguf) return window ?? null;
  const { contextLength, cacheBytesPerToken } = gguf;
  return contextLength === null ? null : { most: contextLength, bytesPerToken: cacheBytesPerToken, layers: null };
}

/** The model with the window that a person has set; unchanged without one, or if its window is fixed. */
export function withContextWindow(entry: ModelEntry, tokens: number | undefined): ModelEntry {
  const limits = windowLimits(entry);
  if (tokens === undefined || limits === null) return entry;
  return { ...entry, contextWindow: Math.min(tokens, limits.most) };
}
