import {
  largestPowerOfTwoDivisor,
  matrixConstants,
  MATRIX_WORKGROUP,
  PREFILL_TILE,
  SQUARES_PART,
} from './matrix-constants.ts';
import type { ModelShape } from './model-shape.ts';
import { specialise, type KernelPlan } from './specialise-kernel.ts';

const ELEMENT_WORKGROUP = 64;
const SOFTMAX_WORKGROUPS = 2;
/** Number of invocations among which the decode kernel splits a head's positions. */
const ATTENTION_SLICES = 4;
/** Number of positions that are scored before their values are read. */
const ATTENTION_BATCH = 64;

/** Number of tokens that share loads of matrix rows. */
const TILES = { decode: 1, prefill: PREFILL_TILE };

/** Returns all kernels of a chat model, under the names that the library uses. */
export function planKernels(shape: ModelShape): KernelPlan {
  const { hidden, vocabulary } = shape;
  const elements = { WORKGROUP: ELEMENT_WORKGROUP, VOCABULARY: vocabulary };
  const embedding = matrixConstants(shape, TILES.decode, vocabulary, hidden);
  const norm = { HIDDEN: hidden, SQUARES_PART, EPSILON: shape.epsilon };
  const plans = {
    decode: planPhase(shape, 'decode', 1),
    prefill: planPhase(shape, 'prefill', shape.prefillChunk),
  };
  return {
    kernels: [
      specialise('embed', 'embed', { ...embedding, WORKGROUP: 8 }),
      specialise('enter', 'enter', { ...norm, WORKGROUP: MATRIX_WORKGROUP }),
      ...plans.decode.kernels,
      ...plans.prefill.kernels,
      specialise('head', 'head', { ...embedding, ...norm }),
      specialise('softmax', 'softmax', { ...elements, WORKGROUP: 16, WORKGROUPS: SOFTMAX_WORKGROUPS }),
      specialise('argsort', 'argsort', elements),
      specialise('sample', 'sample', elements),
      specialise('apply_penalty', 'apply-penalty', elements),
      specialise('apply_logit_bias', 'apply-logit-bias', elements),
      specialise('apply_bitmask', 'apply-bitmask', elements),
    ],
    numbers: {
      SQUARES: hidden / SQUARES_PART,
      TILE: TILES.prefill,
      ENTER_WORKGROUPS: Math.ceil(hidden / SQUARES_PART / MATRIX_WORKGROUP),
      HEAD_WORKGROUPS: Math.ceil(vocabulary / embedding.ROWS / MATRIX_WORKGROUP),
      ATTENTION_WORKGROUP: MATRIX_WORKGROUP,
      ATTENTION_GROUPS: shape.heads / queriesPerInvocation(shape),
      RECORD_BLOCKS: cachedPairs(shape).RECORD_BLOCKS,
      ELEMENT_WORKGROUP,
      SOFTMAX_WORKGROUPS,
      ...plans.decode.numbers,
      ...plans.prefill.numbers,
    },
  };
}

function planPhase(shape: ModelShape, phase: keyof typeof TILES, tokens: number): KernelPlan {
  const { hidden, heads, headDimension, keyValueHeads, intermediate } = shape;
  const attention = {
    TOKENS: tokens,
    CONTEXT: shape.contextWindow,
    HEADS: heads,
    KEY_VALUE_HEADS: keyValueHeads,
    HEAD_DIMENSION: headDimension,
    HEAD_BLOCKS: headDimension / 4,
    QUERIES: queriesPerInvocation(shape),
    SLICES: phase === 'decode' ? ATTENTION_SLICES : 1,
    BATCH: ATTENTION_BATCH,
    WINDOW: shape.attentionWindow,
    WORKGROUP: MATRIX_WORKGROUP,
    ...cachedPairs(shape),
  };
  const norm = { HIDDEN: hidden, SQUARES_PART, EPSILON: shape.epsilon };
  const of = (rows: number, columns: number, unit: number) => ({
    ...matrixConstants(shape, TILES[phase], rows, columns, unit),
    ...norm,
    TOKENS: tokens,
  });
  const matrices = {
    qkv: of((heads + 2 * keyValueHeads) * headDimension, hidden, headDimension),
    output: of(hidden, heads * headDimension, hidden),
    gate_up: of(2 * intermediate, hidden, 2 * intermediate),
    down: of(hidden, intermediate, hidden),
  };
  return {
    kernels: [
      specialise(`qkv_${phase}`, 'qkv', { ...attention, ...matrices.qkv }),
      specialise(`attention_${phase}`, `attention-${phase}`, attention),
      specialise(`output_${phase}`, 'projection', matrices.output),
      specialise(`gate_up_${phase}`, 'gate-up', matrices.gate_up),
      specialise(`down_${phase}`, 'projection', matrices.down),
    ],
    numbers: Object.fromEntries(
      Object.entries(matrices).map(([name, { MATRIX_ROWS, ROWS }]) => [
        `${name}_${phase}_workgroups`.toUpperCase(),
        Math.ceil(MATRIX_ROWS / ROWS / MATRIX_WORKGROUP),
      ]),
    ),
  };
}

/**
 * Returns the number of query heads that share loads of keys and values. A larger number would exceed the registers.
 */
function queriesPerInvocation({ heads, keyValueHeads }: ModelShape): number {
  return largestPowerOfTwoDivisor(heads / keyValueHeads, 2);
}

/**
 * Returns the constants of the layout in `cached-pairs.wgsl`. An invocation of `qkv` has two parts of a head, half a
 * head apart.
 */
function cachedPairs(shape: ModelShape) {
  const { headDimension } = shape;
  const { HALF_ROWS } = matrixConstants(shape, TILES.decode, headDimension, shape.hidden);
  const parts = headDimension / 2 / HALF_ROWS;
  return { PARTS: parts, PART_BLOCKS: HALF_ROWS / 4, RECORD_BLOCKS: Math.ceil((headDimension + 2 * parts) / 4) };
}
