/** The memory of a model's KV cache, and the numbers that it may have. */
export interface GgufCacheShape {
  /** Bytes per token of the context window with 16-bit numbers; null if the file does not state the model's shape. */
  readonly cacheBytesPerToken: number | null;
  /** Bytes with 16-bit numbers of the layers that see only the last tokens, whatever the context window. 0: none. */
  readonly slidingCacheBytes: number;
  /**
   * Whether llama.cpp keeps the KV cache in 8-bit numbers on the CPU. False where it cannot, where the file does not
   * state the shape by single numbers, and where keys and values differ in length, which was not tried.
   */
  readonly allows8BitCache: boolean;
}

/** Numbers that share one scale in an 8-bit KV cache. Source: `QK8_0` in `ggml-common.h`. */
const CACHE_BLOCK = 32;

/**
 * Architectures that llama.cpp computes without flash attention, which 8-bit values need: T5 adds a bias to the scores of
 * attention, and for Grok it is switched off. Sources: `build_attn_mha` in `llama-graph.cpp`, `llama-context.cpp`.
 */
const WITHOUT_FLASH_ATTENTION = /^(?:t5|grok)/;

/**
 * Architectures with sliding attention, and every which of their layers sees all tokens unless the file states another
 * number. Source: calls of `load_swa_pattern` in llama.cpp's `src/models`.
 */
const WHOLE_LAYERS: ReadonlyMap<string, number> = new Map([
  ['gemma2', 2],
  ['gemma3', 6],
  ['gemma3n', 5],
  ['cohere2', 4],
  ['gpt-oss', 2],
]);

/** The most tokens of one step of a prefill, for which sliding attention needs room, too. */
const STEP = 512;

/** @param value Returns a number of the architecture by its name; null if the file does not state it as one number. */
export function ggufCacheShape(architecture: string, value: (name: string) => number | null): GgufCacheShape {
  const shape = keyValueShape(value);
  const layers = value('block_count');
  const hasBlocks = shape !== null && shape.keys === shape.values && shape.keys % CACHE_BLOCK === 0;
  const allows8BitCache = hasBlocks && !WITHOUT_FLASH_ATTENTION.test(architecture);
  if (shape === null || layers === null) return { cacheBytesPerToken: null, slidingCacheBytes: 0, allows8BitCache };
  // Two vectors of 16-bit numbers for each layer and head.
  const bytesPerLayer = shape.heads * (shape.keys + shape.values) * 2;
  const window = value('attention.sliding_window');
  const every = WHOLE_LAYERS.get(architecture);
  if (window === null || every === undefined) {
    return { cacheBytesPerToken: Math.round(layers * bytesPerLayer), slidingCacheBytes: 0, allows8BitCache };
  }
  const whole = Math.floor(layers / (value('attention.sliding_window_pattern') ?? every));
  return {
    cacheBytesPerToken: Math.round(whole * bytesPerLayer),
    slidingCacheBytes: Math.round((layers - whole) * bytesPerLayer * (window + STEP)),
    allows8BitCache,
  };
}

/**
 * Returns how many heads have keys and values, and the lengths of both in one head; null if the file does not state the
 * model's shape.
 */
function keyValueShape(value: (name: string) => number | null) {
  const heads = value('attention.head_count');
  const width = value('embedding_length');
  if (heads === null || width === null) return null;
  return {
    heads: value('attention.head_count_kv') ?? heads,
    keys: value('attention.key_length') ?? width / heads,
    values: value('attention.value_length') ?? width / heads,
  };
}
