import type { CodedText } from '../../../shared/coded-sentence.ts';
import type { GgufFacts } from '../../../shared/models/model-facts.ts';
import { MAX_PARALLEL } from '../../../shared/models/model-settings.ts';
import type { DeviceFit } from '../../../shared/models/model-management.ts';
import type { GraphicsDevice } from '../device-fit.ts';
import { say } from '../../strings/say.ts';
import { fitFor } from '../fit-for.ts';

/** Memory in bytes that a WebAssembly program can use. Source: the memory's `maximum` in wllama 3.13. */
const MAX_MEMORY = 4 * 2 ** 30;

/** Memory in bytes that llama.cpp needs besides weights and KV cache: its program, and the results of one step. */
const OVERHEAD = 200 * 2 ** 20;

/** Number of parameters above which a typical CPU generates more slowly than people read. */
const SLOW = 2e9;

/**
 * Returns whether llama.cpp will probably use the graphics device. That requires the WebGPU feature `shader-f16` and
 * JSPI in the browser. The final decision is made by the worker that runs llama.cpp.
 */
export function mayUseGpu(device: GraphicsDevice | null): boolean {
  return device !== null && device.features.has('shader-f16') && 'Suspending' in WebAssembly;
}

/**
 * Returns the memory in bytes that a model needs with a context window of this many tokens; null if the size of its
 * file is unknown. An encoder has no KV cache, but needs about as much: it computes all tokens of a text in one step.
 */
export function ggufMemory(
  { bytes, cacheBytesPerToken }: Pick<GgufFacts, 'bytes' | 'cacheBytesPerToken'>,
  contextWindow: number,
): number | null {
  return bytes === null ? null : bytes + (cacheBytesPerToken ?? 0) * contextWindow + OVERHEAD;
}

/**
 * Returns the largest context window in tokens for which WebAssembly's memory has room; Infinity if the sizes are
 * unknown.
 */
export function ggufMostWindow({ bytes, cacheBytesPerToken }: GgufFacts): number {
  if (bytes === null || !cacheBytesPerToken) return Infinity;
  return Math.max(0, Math.floor((MAX_MEMORY - bytes - OVERHEAD) / cacheBytesPerToken));
}

/**
 * Returns how many requests a model can answer at once: each has a KV cache of the whole context window, and WebAssembly's
 * memory must have room for all. 1 if the sizes are unknown.
 * @param contextWindow Tokens.
 */
export function ggufMostParallel(facts: GgufFacts, contextWindow: number): number {
  const tokens = ggufMostWindow(facts);
  return Number.isFinite(tokens) ? Math.min(MAX_PARALLEL, Math.max(1, Math.floor(tokens / contextWindow))) : 1;
}

/**
 * Returns whether llama.cpp can run a model on this device, with reasons.
 * @param tokens Tokens of all KV caches: the context window, for each request that is answered at once.
 * @param deviceMemory Main memory in bytes as the browser reports it (rounded and capped); null if unknown.
 * @param onGpu Whether the graphics device will compute it; see {@link mayUseGpu}.
 */
export function ggufFit(facts: GgufFacts, tokens: number, deviceMemory: number | null, onGpu: boolean): DeviceFit {
  const { architecture, parameters, hasChatTemplate, embedding } = facts;
  const memory = ggufMemory(facts, tokens);
  if (architecture === 'clip') return fitFor('no', [say('isEncoder')]);
  if (memory !== null && memory > MAX_MEMORY) return fitFor('no', [say('memoryBeyondWasm', memory)]);
  const doubts: CodedText[] = [];
  if (memory !== null && deviceMemory !== null && memory > deviceMemory / 2)
    doubts.push(say('tightMainMemory', memory, deviceMemory));
  if (!hasChatTemplate && !embedding) doubts.push(say('chatTemplateMissing'));
  const slow = parameters !== null && parameters > SLOW && !onGpu && !embedding ? [say('slowOnProcessor')] : [];
  return fitFor(doubts.length > 0 ? 'doubtful' : 'yes', [...doubts, ...slow]);
}
