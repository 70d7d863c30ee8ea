import { ApiError } from '../api-error.ts';

/** Wraps the error of a failed write, which usually means that the disk, or the site's share of it, is full. */
export function diskFull(cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause;
  return new ApiError(
    'storage_unavailable',
    'The browser could not store this: the disk, or the share of it that this site may use, is full. Delete files or models, or make room on the disk.',
    { cause },
  );
}
