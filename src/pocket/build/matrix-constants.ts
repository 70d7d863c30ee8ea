import type { Constants } from './expand-template.ts';
import type { ModelShape } from './model-shape.ts';

/** Number of values of the residual stream that one sum of squares covers (see normed.wgsl). */
export const SQUARES_PART = 8;
/** Number of invocations per workgroup: one SIMD vector on a CPU adapter, so that small layers use all cores. */
export const MATRIX_WORKGROUP = 4;
/**
 * Maximum number of matrix rows per invocation, and of tokens that share loads of these rows. Larger values save loads
 * but exceed the registers; these values were the fastest in measurements.
 */
const ROWS = 16;
export const PREFILL_TILE = 3;

type PackedShape = Pick<ModelShape, 'weightBits' | 'weightGroup'>;

/** Returns the constants of a matrix kernel. The number of rows per invocation divides `unit`. */
export function matrixConstants(shape: PackedShape, tile: number, rows: number, columns: number, unit = rows) {
  const { weightBits } = shape;
  const rowsEach = largestPowerOfTwoDivisor(unit, ROWS);
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

/**
 * Returns the largest power of two that divides the number and is at most `most`, which must be a power of two itself.
 */
export function largestPowerOfTwoDivisor(number: number, most: number): number {
  let divisor = most;
  while (divisor > 1 && number % divisor !== 0) divisor /= 2;
  return divisor;
}
