import { matrixConstants, MATRIX_WORKGROUP, PREFILL_TILE, SQUARES_PART } from './matrix-constants.ts';
import type { ModelShape } from './model-shape.ts';
import { specialise, type KernelPlan } from './specialise-kernel.ts';

/** Maximum number of texts in one call from WebLLM. */
export const MAX_BATCH = 32;
/** Tokens that the layer computes in one slice at most, unless the context is longer. Slices consist of whole texts. */
const SLICE_TOKENS = 2048;
/** Number of neighbouring tokens that share loads of keys and values. */
const QUERIES = 4;

/** Number of invocations that read one token's embedding. */
const ENTER_WORKGROUP = 8;

/** Returns all kernels of an embedding model, under the names that the library uses. */
export function planEncoderKernels(shape: ModelShape): KernelPlan {
  if (shape.layers !== 1) throw new Error('mlc-chat-config.json: an embedding model must have one layer');
  const { hidden, heads, headDimension, intermediate, vocabulary, contextWindow } = shape;
  const tokens = Math.max(SLICE_TOKENS, contextWindow);
  const common = {
    WORKGROUP: MATRIX_WORKGROUP,
    TOKENS: tokens,
    CONTEXT: contextWindow,
    HEADS: heads,
    HEAD_DIMENSION: headDimension,
    HEAD_BLOCKS: headDimension / 4,
    QUERIES,
    VOCABULARY: vocabulary,
    HIDDEN: hidden,
    SQUARES_PART,
    EPSILON: shape.epsilon,
  };
  const of = (rows: number, columns: number, unit: number) => ({
    ...matrixConstants(shape, PREFILL_TILE, rows, columns, unit),
    ...common,
  });
  const matrices = {
    qkv: of(3 * heads * headDimension, hidden, 3 * heads * headDimension),
    output: of(hidden, heads * headDimension, hidden),
    gate_up: of(2 * intermediate, hidden, 2 * intermediate),
    down: of(hidden, intermediate, hidden),
  };
  const embedding = { ...of(vocabulary, hidden, vocabulary), WORKGROUP: ENTER_WORKGROUP };
  const workgroups = Object.entries(matrices).map(([name, { MATRIX_ROWS, ROWS }]) => [
    `${name}_workgroups`.toUpperCase(),
    Math.ceil(MATRIX_ROWS / ROWS / MATRIX_WORKGROUP),
  ]);
  return {
    kernels: [
      specialise('enter', 'encoder-enter', embedding),
      specialise('list_new', 'encoder-list-new', common),
      specialise('norm_new', 'encoder-norm-new', common),
      specialise('token_qkv', 'encoder-token-qkv', matrices.qkv),
      specialise('rotate', 'encoder-rotate', common),
      specialise('attention', 'encoder-attention', common),
      specialise('output', 'projection', matrices.output),
      specialise('gate_up', 'gate-up', matrices.gate_up),
      specialise('pool', 'encoder-pool', { ...matrices.down, TOKENS: tokens, BLOCKS: hidden / 4 }),
    ],
    numbers: {
      SLICE_TOKENS: tokens,
      SQUARES: hidden / SQUARES_PART,
      TILE: PREFILL_TILE,
      ENTER_WORKGROUPS: Math.ceil(hidden / 4 / embedding.BLOCKS_PER_LOAD / ENTER_WORKGROUP),
      ATTENTION_TILE: QUERIES,
      ATTENTION_WORKGROUP: MATRIX_WORKGROUP,
      ...Object.fromEntries(workgroups),
    },
  };
}
