import type { ApiError, ApiErrorCode } from '../api-error.ts';

/** The shortest and the longest time to wait that may be told to a client: it ignores 60 seconds and more. */
const [SHORTEST_WAIT, LONGEST_WAIT] = [1, 59];

/** Seconds for a `Retry-After`: whole, and within what official clients heed. */
export function retryAfterSeconds(seconds: number): number {
  return Math.min(LONGEST_WAIT, Math.max(SHORTEST_WAIT, Math.ceil(seconds)));
}

/** Codes that pass by waiting, with the seconds to wait where the failure itself does not say. */
const RETRY_AFTER: Partial<Record<ApiErrorCode, number>> = {
  rate_limit_exceeded: 2,
  model_loading: 5,
  gpu_device_lost: 5,
  engine_unavailable: 1,
  storage_unavailable: 10,
};

/** Codes that look as if waiting helped, although it does not. */
const NO_USE_TO_RETRY: readonly ApiErrorCode[] = ['model_not_loaded', 'model_load_failed', 'gpu_unavailable'];

/** Whether the same request may well succeed in a moment. */
export function isTransient({ code }: ApiError): boolean {
  return code === 'engine_timeout' || RETRY_AFTER[code] !== undefined;
}

/** The headers that say whether and when to try again; none where neither is to be said. */
export function retryHeaders({ code, retryAfter }: ApiError): Record<string, string> {
  if (NO_USE_TO_RETRY.includes(code)) return { 'x-should-retry': 'false' };
  const seconds = RETRY_AFTER[code];
  if (seconds === undefined) return {};
  return { 'retry-after': String(retryAfterSeconds(retryAfter ?? seconds)) };
}
