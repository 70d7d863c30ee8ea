import type { Constants } from './expand-template.ts';
import type { ModelShape } from './model-shape.ts';

/** Rows of the residual stream whose squares are summed up together (see normed.wgsl). */
export const SQUARES_PART = 8;
/** Invocations per workgroup: one group of lanes on a CPU adapter, so small layers use all cores. */
export const MATRIX_WORKGROUP = 4;
/**
 * Matrix rows an invocation computes, and tokens that share a reading of them. More save memory accesses, and keep more
 * sums outside of the registers; these were found by trying.
 */
const ROWS = 16;
export const PREFILL_TILE = 3;

/** How the weights of a model are packed. */
type PackedShape = Pick<ModelShape, 'weightBits' | 'weightGroup'>;

/** Constants of a matrix kernel; an invocation's rows divide `unit` without remainder. */
export function matrixConstants(shape: PackedShape, tile: number, rows: number, columns: number, unit = rows) {
  const { weightBits } = shape;
  const rowsEach = largestDivisor(unit, ROWS);
  return {
    WORKGROUP: MATRIX_WORKGROUP,
    MATRIX_ROWS: rows,
    COLUMNS: columns,
    WEIGHT_BITS: weightBits,
    GROUP: shape.weightGroup,
    BLOCKS_PER_LOAD: 8 / weightBits,
    ROWS: rowsEach,
    HALF_ROWS: rowsEach / 2,
    TILE: tile,
  } satisfies Constants;
}

/** The largest power of two up to `most` that divides the number. */
export function largestDivisor(number: number, most: number): number {
  let divisor = most;
  while (divisor > 1 && number % divisor !== 0) divisor /= 2;
  return divisor;
}
