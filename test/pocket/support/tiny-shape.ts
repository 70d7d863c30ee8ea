import type { ModelShape } from '../../../src/pocket/build/model-shape.ts';

/** A network that shares no number with the published one. */
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
};
