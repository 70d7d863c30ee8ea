/** Dimensions of a Llama-style network. */
export interface ModelShape {
  layers: number;
  hidden: number;
  heads: number;
  keyValueHeads: number;
  headDimension: number;
  intermediate: number;
  vocabulary: number;
  contextWindow: number;
  prefillChunk: number;
  ropeTheta: number;
  epsilon: number;
  weightBits: 4 | 8;
  /** Number of neighbouring columns that share a scale. */
  weightGroup: number;
  /** Number of tokens that a head with a window sees, including the current one. */
  attentionWindow: number;
  /** For each layer, how many of its first key-value heads see all positions; 0 past the end of the list. */
  globalKeyValueHeads: number[];
}

const FIELDS = {
  layers: 'num_hidden_layers',
  hidden: 'hidden_size',
  heads: 'num_attention_heads',
  keyValueHeads: 'num_key_value_heads',
  headDimension: 'head_dim',
  intermediate: 'intermediate_size',
  vocabulary: 'vocab_size',
  contextWindow: 'context_window_size',
  prefillChunk: 'prefill_chunk_size',
  ropeTheta: 'rope_theta',
  epsilon: 'rms_norm_eps',
  weightBits: 'weight_bits',
  weightGroup: 'weight_group_size',
  attentionWindow: 'attention_window',
} as const satisfies Record<Exclude<keyof ModelShape, 'globalKeyValueHeads'>, string>;

const GLOBAL_HEADS = 'global_key_value_heads';

/**
 * Reads `model_config` of a package's `mlc-chat-config.json`.
 * @throws Error if a field is missing or unsupported; the message names it.
 */
export function readModelShape(modelConfig: Record<string, unknown>): ModelShape {
  const entries = Object.entries(FIELDS).map(([name, field]) => {
    // Networks without attention windows, such as encoders, use the whole context.
    const value = modelConfig[field] ?? (name === 'attentionWindow' ? modelConfig[FIELDS.contextWindow] : undefined);
    if (typeof value !== 'number' || !(value > 0)) {
      throw new Error(`mlc-chat-config.json: model_config.${field} must be a positive number`);
    }
    return [name, value];
  });
  const globalKeyValueHeads = modelConfig[GLOBAL_HEADS] ?? [];
  const shape = { ...Object.fromEntries(entries), globalKeyValueHeads } as ModelShape;
  for (const problem of problemsOf(shape)) throw new Error(`mlc-chat-config.json: ${problem}`);
  return shape;
}

/** Converts a shape to fields of `mlc-chat-config.json`. */
export function writeModelShape(shape: ModelShape): Record<string, unknown> {
  const numbers = Object.entries(FIELDS).map(([name, field]) => [field, shape[name as keyof ModelShape]]);
  return { ...Object.fromEntries(numbers), [GLOBAL_HEADS]: shape.globalKeyValueHeads };
}

/**
 * Yields the properties that the kernels do not support: sizes must be multiples of vectors, words, groups of weights
 * and groups of heads.
 */
function* problemsOf(shape: ModelShape): Generator<string> {
  const { hidden, heads, keyValueHeads, headDimension, intermediate, weightBits } = shape;
  if (![4, 8].includes(weightBits)) yield 'weight_bits must be 4 or 8';
  if (shape.weightGroup % 8 !== 0) yield 'weight_group_size must be a multiple of 8';
  const columns = {
    hidden_size: hidden,
    intermediate_size: intermediate,
    'num_attention_heads * head_dim': heads * headDimension,
  };
  for (const [name, value] of Object.entries(columns)) {
    if (value % shape.weightGroup !== 0) yield `${name} must be a multiple of weight_group_size`;
  }
  if (heads % keyValueHeads !== 0) {
    yield 'num_attention_heads must be a multiple of num_key_value_heads';
  }
  if (headDimension % 8 !== 0 || headDimension > 256) {
    yield 'head_dim must be a multiple of 8, at most 256';
  }
  const { globalKeyValueHeads } = shape;
  const counts = Array.isArray(globalKeyValueHeads) && globalKeyValueHeads.length <= shape.layers;
  if (
    !counts ||
    !globalKeyValueHeads.every((count) => Number.isInteger(count) && count >= 0 && count <= keyValueHeads)
  ) {
    yield `${GLOBAL_HEADS} must be a list of at most num_hidden_layers numbers up to num_key_value_heads`;
  }
  if (shape.vocabulary % 4 !== 0) yield 'vocab_size must be a multiple of 4';
}
