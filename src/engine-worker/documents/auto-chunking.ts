import type { StaticChunking } from '../../shared/documents/document-objects.ts';
import { DEFAULT_LIMITS, type PassageLimits } from './passages/passage.ts';

/** How a file is split if the request leaves that to the engine. */
export const AUTO_CHUNKING: StaticChunking = {
  max_chunk_size_tokens: DEFAULT_LIMITS.maxTokens,
  chunk_overlap_tokens: DEFAULT_LIMITS.overlapTokens ?? 0,
};

export function passageLimits(chunking: StaticChunking | null): PassageLimits {
  if (chunking === null) return DEFAULT_LIMITS;
  return { maxTokens: chunking.max_chunk_size_tokens, overlapTokens: chunking.chunk_overlap_tokens };
}
