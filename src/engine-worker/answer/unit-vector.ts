import { ApiError } from '../../shared/api-error.ts';

/** Truncates a vector to its first `dimensions` numbers (null: keeps all) and normalizes it to length 1. */
export function unitVector(vector: readonly number[], dimensions: number | null): Float32Array<ArrayBuffer> {
  const part = Float32Array.from(vector.slice(0, dimensions ?? vector.length));
  const length = Math.hypot(...part);
  if (!Number.isFinite(length)) {
    throw new ApiError('internal_error', 'The model computed a value that is not a number. Load it again.');
  }
  return length === 0 ? part : part.map((value) => value / length);
}
