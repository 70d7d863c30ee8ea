/** A finished request in the request log, which never leaves the device. */
export interface RequestRecord {
  readonly requestId: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly method: string;
  readonly path: string;
  /** Name of the API key, never the key itself; null if none was accepted. */
  readonly key: string | null;
  readonly model: string | null;
  /** Name of the upstream that responded; null for this device. Absent in records of older builds. */
  readonly upstream?: string | null;
  readonly status: number;
  readonly streamed: boolean;
  /** Milliseconds from the request to the end of the response. */
  readonly duration: number;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  /** Sampled tokens per second, from the first token to the last; null for fewer than two tokens. */
  readonly tokensPerSecond: number | null;
  /** `complete`, `cancelled` by the client, or an error code. */
  readonly outcome: string;
  /** Bodies of request and response; null unless the user has allowed to log them. */
  readonly content: { readonly request: string; readonly response: string } | null;
}

/**
 * Request header: with the value `none` the request is not in the request log. With `memory` it is not, either, and if
 * an upstream gets it, that is told to the open pages instead of being stored.
 */
export const LOG_HEADER = 'x-tabserve-log';

/** Whether a request may be in the request log. */
export function isLogged({ headers }: Pick<Request, 'headers'>): boolean {
  return !['none', 'memory'].includes(headers.get(LOG_HEADER) ?? '');
}

/** Name of the BroadcastChannel that announces changes of the log to pages. */
export const REQUEST_RECORDS_CHANNEL = 'tabserve/requests';

/** Limit of records in the log; the oldest are evicted. */
export const MAX_REQUEST_RECORDS = 200;
