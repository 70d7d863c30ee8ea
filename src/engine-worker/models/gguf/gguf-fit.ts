import type { DeviceFit, GgufFacts } from '../../../shared/models/model-management.ts';
import { ggufFitStrings as strings } from '../../strings/gguf.ts';

/** Memory that WebAssembly can address. Source: `maximum` of the memory of wllama 3.13. */
const MOST_MEMORY = 4 * 2 ** 30;

/** Bytes that llama.cpp needs beside weights and KV cache: its program, and the results of one step. */
const OVERHEAD = 200 * 2 ** 20;

/** Parameters above which a usual processor writes slower than people read. */
const SLOW = 2e9;

/** Architectures of models that compute vectors and write no text. Source: `llama-arch.cpp`. */
const ENCODERS = /bert|^t5encoder$|^gemma-embedding$/;

/** Bytes of memory that a model needs with a window of some tokens; null if the size of its file is unknown. */
export function ggufMemory({ bytes, cacheBytesPerToken }: GgufFacts, contextWindow: number): number | null {
  return bytes === null ? null : bytes + (cacheBytesPerToken ?? 0) * contextWindow + OVERHEAD;
}

/** Tokens of the largest window that WebAssembly's memory has room for; infinite if the sizes are unknown. */
export function ggufMostWindow({ bytes, cacheBytesPerToken }: GgufFacts): number {
  if (bytes === null || !cacheBytesPerToken) return Infinity;
  return Math.max(0, Math.floor((MOST_MEMORY - bytes - OVERHEAD) / cacheBytesPerToken));
}

/**
 * Judges whether llama.cpp can run a model on this device's processor.
 * @param deviceMemory Main memory in bytes as the browser reports it (rounded and capped); null if unknown.
 */
export function ggufFit(facts: GgufFacts, contextWindow: number, deviceMemory: number | null): DeviceFit {
  const { architecture, parameters, hasChatTemplate } = facts;
  const memory = ggufMemory(facts, contextWindow);
  if (architecture === 'clip') return { verdict: 'no', reasons: [strings.imagePart] };
  if (ENCODERS.test(architecture)) return { verdict: 'no', reasons: [strings.encoder] };
  if (memory !== null && memory > MOST_MEMORY) return { verdict: 'no', reasons: [strings.tooLarge(memory)] };
  const doubts: string[] = [];
  if (memory !== null && deviceMemory !== null && memory > deviceMemory / 2)
    doubts.push(strings.tightMemory(memory, deviceMemory));
  if (!hasChatTemplate) doubts.push(strings.noTemplate);
  const slow = parameters !== null && parameters > SLOW ? [strings.slow] : [];
  return { verdict: doubts.length > 0 ? 'doubtful' : 'yes', reasons: [...doubts, ...slow] };
}
