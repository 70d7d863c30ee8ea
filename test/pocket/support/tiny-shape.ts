import type { ModelShape } from '../../../src/pocket/build/model-shape.ts';

/** A network in which no size equals that of the published one. */
export const TINY_SHAPE: ModelShape = {
  layers: 3,
  hidden: 96,
  heads: 6,
  keyValueHeads: 3,
  headDimension: 16,
  intermediate: 160,
  vocabulary: 324,
  contextWindow: 2100,
  prefillChunk: 40,
  ropeTheta: 5000,
  epsilon: 1e-6,
  weightBits: 8,
  weightGroup: 32,
  attentionWindow: 24,
  globalKeyValueHeads: [0, 1, 3],
};

/** An embedding model whose batches need several slices, and whose texts do not fill the tiles. */
export const TINY_ENCODER_SHAPE: ModelShape = {
  ...TINY_SHAPE,
  layers: 1,
  keyValueHeads: TINY_SHAPE.heads,
  contextWindow: 200,
  prefillChunk: 200,
  attentionWindow: 200,
  globalKeyValueHeads: [],
};
