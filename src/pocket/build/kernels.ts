import type { ModelShape } from './model-shape.ts';
import { specialise, type Kernel } from './specialise-kernel.ts';

/** Invocations of a workgroup of the matrix kernels; each computes a pair of rows. */
const MATRIX_WORKGROUP = 64;
const ELEMENT_WORKGROUP = 64;
const REDUCTION_WORKGROUP = 256;

export const ROWS_PER_WORKGROUP = 2 * MATRIX_WORKGROUP;
/** Tokens that share one reading of the weights during prefill. */
export const TOKENS_PER_TILE = 8;

/** All kernels of a model of this shape, specialised; names are what the library calls them. */
export function makeKernels(shape: ModelShape): Kernel[] {
  const { hidden, heads, headDimension, keyValueHeads, intermediate, vocabulary } = shape;
  const matrix = (columns: number, tile = 1) => ({
    WORKGROUP: MATRIX_WORKGROUP, COLUMNS: columns, WEIGHT_BITS: shape.weightBits,
    GROUP: shape.weightGroup, TILE: tile,
  });
  const attention = {
    HEADS: heads, KEY_VALUE_HEADS: keyValueHeads, HEAD_DIMENSION: headDimension,
  };
  const norm = { EPSILON: shape.epsilon };
  const elements = { WORKGROUP: ELEMENT_WORKGROUP, VOCABULARY: vocabulary };
  const tiled = [['decode', 1], ['prefill', TOKENS_PER_TILE]] as const;
  return [
    specialise('embed', 'embed', matrix(hidden)),
    ...tiled.flatMap(([phase, tile]) => [
      specialise(`qkv_${phase}`, 'qkv', { ...matrix(hidden, tile), ...attention, ...norm }),
      specialise(`output_${phase}`, 'projection',
        { ...matrix(heads * headDimension, tile), ROWS: hidden }),
      specialise(`gate_up_${phase}`, 'gate-up',
        { ...matrix(hidden, tile), ...norm, INTERMEDIATE: intermediate }),
      specialise(`down_${phase}`, 'projection', { ...matrix(intermediate, tile), ROWS: hidden }),
    ]),
    specialise('attention', 'attention',
      { ...attention, WORKGROUP: attentionWorkgroup(headDimension) }),
    specialise('head', 'head', { ...matrix(hidden), ...norm, ROWS: vocabulary }),
    specialise('softmax', 'softmax', { ...elements, WORKGROUP: REDUCTION_WORKGROUP }),
    specialise('argsort', 'argsort', elements),
    specialise('sample', 'sample', elements),
    specialise('apply_penalty', 'apply-penalty', elements),
    specialise('apply_logit_bias', 'apply-logit-bias', elements),
    specialise('apply_bitmask', 'apply-bitmask', elements),
  ];
}

/** Whole heads' dimensions, about 64 invocations. */
function attentionWorkgroup(headDimension: number): number {
  return headDimension * Math.max(1, Math.floor(64 / headDimension));
}
