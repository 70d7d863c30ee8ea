import type { CodedText } from '../../../shared/coded-sentence.ts';
import type { GgufFacts } from '../../../shared/models/model-facts.ts';
import { MAX_PARALLEL } from '../../../shared/models/model-settings.ts';
import type { DeviceFit } from '../../../shared/models/model-management.ts';
import { say } from '../../strings/say.ts';
import { fitFor } from '../fit-for.ts';

/**
 * Memory in bytes that llama.cpp's programs can use in WebAssembly: the memories' `maximum` in
 * `scripts/build/add-llama-cpp.ts` and wllama 3.13.
 */
const MAX_MEMORY = { compat: 2 * 2 ** 30, usual: 4 * 2 ** 30 } as const;

/** Memory in bytes that llama.cpp needs besides weights and KV cache: its program, and the results of one step. */
const OVERHEAD = 200 * 2 ** 20;

/** What limits llama.cpp on a device. */
export interface GgufLimits {
  /** Main memory in bytes as the browser reports it (rounded and capped); null if unknown. */
  readonly deviceMemory: number | null;
  /** Whether llama.cpp's program for 32-bit memories runs, because the browser's WebAssembly has no others. */
  readonly isCompat: boolean;
}

/** What the memory of a KV cache depends on. */
type CacheFacts = Pick<GgufFacts, 'cacheBytesPerToken' | 'slidingCacheBytes'>;

/**
 * Returns the bytes of the KV cache of one request. An encoder has no KV cache, but needs about as much: it computes all
 * tokens of a text in one step.
 * @param contextWindow Tokens.
 */
export function ggufCacheBytes(
  { cacheBytesPerToken, slidingCacheBytes = 0 }: CacheFacts,
  contextWindow: number,
): number {
  return (cacheBytesPerToken ?? 0) * contextWindow + slidingCacheBytes;
}

/**
 * Returns the memory in bytes that a model needs with a context window of this many tokens; null if the size of its
 * file is unknown.
 * @param parallel How many requests are answered at once. Default: 1.
 */
export function ggufMemory(
  { bytes, ...cache }: CacheFacts & Pick<GgufFacts, 'bytes'>,
  contextWindow: number,
  parallel = 1,
): number | null {
  return bytes === null ? null : bytes + ggufCacheBytes(cache, contextWindow) * parallel + OVERHEAD;
}

/**
 * Returns the largest context window in tokens for which WebAssembly's memory has room; Infinity if the sizes are
 * unknown.
 * @param parallel How many requests are answered at once.
 */
export function ggufMostWindow(facts: GgufFacts, { isCompat }: GgufLimits, parallel: number): number {
  const { bytes, cacheBytesPerToken, slidingCacheBytes = 0 } = facts;
  if (bytes === null || !cacheBytesPerToken) return Infinity;
  const bytesPerRequest = (maxMemory(isCompat) - bytes - OVERHEAD) / parallel;
  return Math.max(0, Math.floor((bytesPerRequest - slidingCacheBytes) / cacheBytesPerToken));
}

/**
 * Returns how many requests a model can answer at once: each has a KV cache of the whole context window, and WebAssembly's
 * memory must have room for all. 1 if the sizes are unknown.
 * @param contextWindow Tokens.
 */
export function ggufMostParallel(facts: GgufFacts, contextWindow: number, { isCompat }: GgufLimits): number {
  const { bytes, cacheBytesPerToken } = facts;
  if (bytes === null || !cacheBytesPerToken) return 1;
  const requests = (maxMemory(isCompat) - bytes - OVERHEAD) / ggufCacheBytes(facts, contextWindow);
  return Math.min(MAX_PARALLEL, Math.max(1, Math.floor(requests)));
}

/**
 * Returns whether llama.cpp can run a model on this device, with reasons.
 * @param contextWindow Tokens.
 * @param parallel How many requests are answered at once. Default: 1.
 */
export function ggufFit(
  facts: GgufFacts,
  contextWindow: number,
  { deviceMemory, isCompat }: GgufLimits,
  parallel = 1,
): DeviceFit {
  const { architecture, hasChatTemplate, embedding } = facts;
  const memory = ggufMemory(facts, contextWindow, parallel);
  if (architecture === 'clip') return fitFor('no', [say('isEncoder')]);
  const most = maxMemory(isCompat);
  if (memory !== null && memory > most) return fitFor('no', [say('memoryBeyondWasm', memory, most)]);
  const doubts: CodedText[] = [];
  if (memory !== null && deviceMemory !== null && memory > deviceMemory / 2)
    doubts.push(say('tightMainMemory', memory, deviceMemory));
  if (!hasChatTemplate && !embedding) doubts.push(say('chatTemplateMissing'));
  return fitFor(doubts.length > 0 ? 'doubtful' : 'yes', doubts);
}

function maxMemory(isCompat: boolean): number {
  return isCompat ? MAX_MEMORY.compat : MAX_MEMORY.usual;
}
