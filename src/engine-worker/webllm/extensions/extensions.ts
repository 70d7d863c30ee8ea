import type { Extension } from '../pipeline/extension.ts';
import type { Methods } from '../pipeline/webllm-pipeline.ts';
import { DEFERRED_READBACK } from '../prompt-cache/deferred-readback.ts';
import { PROMPT_CACHE } from '../prompt-cache/prompt-cache.ts';
import { CPU_SAMPLING } from '../sampling/cpu-sampling.ts';
import { DECODE_AHEAD } from './decode-ahead.ts';
import { FEWER_GPU_CALLS, FEWER_GPU_CALLS_FOR_EMBEDDINGS } from '../gpu-calls/fewer-gpu-calls.ts';
import { CONTEXT_WINDOW } from './context-window.ts';
import { DEVICE_POLLING } from './device-polling.ts';
import { IMAGE_TOKENS } from './image-tokens.ts';
import { INCREMENTAL_DETOKENIZER } from './incremental-detokenizer.ts';
import { INTERRUPTIBLE_PREFILL } from './interruptible-prefill.ts';
import { JUMP_FORWARD } from './jump-forward.ts';
import { MERGE_BARRIER } from './merge-barrier.ts';
import { STOP_TOKENS } from './stop-tokens.ts';
import { TOKEN_PROMPTS } from './token-prompts.ts';
import { WATCH_DEVICE } from './watch-device.ts';

/** Extensions of WebLLM's engine. They are applied before it loads a model. */
export const ENGINE_EXTENSIONS = [WATCH_DEVICE, MERGE_BARRIER] as const;

/** Extensions of WebLLM's object for a model that computes embeddings. */
export const EMBEDDING_EXTENSIONS = [FEWER_GPU_CALLS_FOR_EMBEDDINGS, DEVICE_POLLING] as const;

/**
 * Extensions of WebLLM's object for a chat model. A later entry wraps the methods that an earlier one replaced, so
 * calls run from the last entry to the first ({@link chainOf}).
 */
export const CHAT_EXTENSIONS = [
  // First, so that it checks WebLLM's own methods.
  FEWER_GPU_CALLS,
  DEVICE_POLLING,
  CONTEXT_WINDOW,
  IMAGE_TOKENS,
  DEFERRED_READBACK,
  // The prompt cache checks the model library with WebLLM's own `embedAndForward`, so the extensions that replace that
  // method come below.
  PROMPT_CACHE,
  INCREMENTAL_DETOKENIZER,
  STOP_TOKENS,
  // Before CPU_SAMPLING, so that logits of forced tokens are read back together with the decode step.
  JUMP_FORWARD,
  // Before DECODE_AHEAD, so that logits computed ahead are read back together with the decode step.
  CPU_SAMPLING,
  DECODE_AHEAD,
  INTERRUPTIBLE_PREFILL,
  TOKEN_PROMPTS,
] as const;

/**
 * Returns the names of the extensions that a call of this method passes through before it reaches WebLLM's own method.
 */
export function chainOf(method: keyof Methods): string[] {
  const table: readonly Pick<Extension, 'name' | 'replaces'>[] = CHAT_EXTENSIONS;
  return table
    .filter(({ replaces }) => replaces.includes(method))
    .map(({ name }) => name)
    .toReversed();
}
