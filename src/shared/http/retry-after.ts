import type { ApiError, ApiErrorCode } from '../api-error.ts';

/** Bounds of `Retry-After` in seconds. The official OpenAI clients ignore 60 and more. */
const [MIN_SECONDS, MAX_SECONDS] = [1, 59];

/** Rounds up to whole seconds, within the bounds that the official clients respect. */
export function retryAfterSeconds(seconds: number): number {
  return Math.min(MAX_SECONDS, Math.max(MIN_SECONDS, Math.ceil(seconds)));
}

/** Codes of transient failures, with the default of `Retry-After` in seconds. */
const RETRY_AFTER: Partial<Record<ApiErrorCode, number>> = {
  rate_limit_exceeded: 2,
  model_loading: 5,
  gpu_device_lost: 5,
  engine_unavailable: 1,
  storage_unavailable: 10,
};

/**
 * Codes with a 5xx status for which a retry cannot help. The official clients would retry them anyway, so a header
 * tells them not to.
 */
export const NOT_RETRYABLE: readonly ApiErrorCode[] = ['model_not_loaded', 'model_load_failed', 'gpu_unavailable'];

/** Whether a retry of the same request may soon succeed. */
export function isTransient({ code }: ApiError): boolean {
  return code === 'engine_timeout' || RETRY_AFTER[code] !== undefined;
}

/** Headers that tell a client whether and when to retry. */
export function retryHeaders({ code, retryAfter }: ApiError): Record<string, string> {
  if (NOT_RETRYABLE.includes(code)) return { 'x-should-retry': 'false' };
  const seconds = RETRY_AFTER[code];
  if (seconds === undefined) return {};
  return { 'retry-after': String(retryAfterSeconds(retryAfter ?? seconds)) };
}
