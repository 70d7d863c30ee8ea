import type { Extension } from '../pipeline/extension.ts';
import type { Methods } from '../pipeline/webllm-pipeline.ts';
import { DEFERRED_READBACK } from '../prompt-cache/deferred-readback.ts';
import { PROMPT_CACHE } from '../prompt-cache/prompt-cache.ts';
import { CPU_SAMPLING } from '../sampling/cpu-sampling.ts';
import { CONTEXT_WINDOW } from './context-window.ts';
import { DECODE_AHEAD } from './decode-ahead.ts';
import { DEVICE_POLLING } from './device-polling.ts';
import { IDLE_PREFILL } from './idle-prefill.ts';
import { IMAGE_TOKENS } from './image-tokens.ts';
import { INCREMENTAL_DETOKENIZER } from './incremental-detokenizer.ts';
import { INTERRUPTIBLE_PREFILL } from './interruptible-prefill.ts';
import { MERGE_BARRIER } from './merge-barrier.ts';
import { TOKEN_PROMPTS } from './token-prompts.ts';
import { TOKENIZER_CACHE } from './tokenizer-cache.ts';
import { WATCH_DEVICE } from './watch-device.ts';

/** Extensions of WebLLM's engine, before it loads a model. */
export const ENGINE_EXTENSIONS = [WATCH_DEVICE, MERGE_BARRIER] as const;

/** Extensions of WebLLM's object for a model that computes embeddings. */
export const EMBEDDING_EXTENSIONS = [DEVICE_POLLING] as const;

/**
 * Extensions of WebLLM's object for a model that writes, innermost first: a method that several replace runs through
 * them from the last to the first ({@link chainOf}).
 */
export const CHAT_EXTENSIONS = [
  DEVICE_POLLING,
  CONTEXT_WINDOW,
  IMAGE_TOKENS,
  DEFERRED_READBACK,
  // Its check of the model library runs the library's own methods, so no other layer may be below it.
  PROMPT_CACHE,
  INCREMENTAL_DETOKENIZER,
  // The logits of a token that is decoded ahead are to be read back with it.
  CPU_SAMPLING,
  DECODE_AHEAD,
  // Below the layer that cuts and paces prompts: a scope of tensors is open while it works.
  IDLE_PREFILL,
  INTERRUPTIBLE_PREFILL,
  TOKENIZER_CACHE,
  // The text that stands for tokens is of no use to a cache of texts.
  TOKEN_PROMPTS,
] as const;

/** The names of the extensions that a call of this method runs through, before it reaches WebLLM's own. */
export function chainOf(method: keyof Methods): string[] {
  const table: readonly Pick<Extension, 'name' | 'replaces'>[] = CHAT_EXTENSIONS;
  return table
    .filter(({ replaces }) => replaces.includes(method))
    .map(({ name }) => name)
    .toReversed();
}
