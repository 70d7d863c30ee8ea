/** One finished request to `/v1`, as the developers' corner lists it. It never leaves the device. */
export interface RequestRecord {
  readonly requestId: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly method: string;
  readonly path: string;
  /** Name of the key that asked; null where none was accepted. Never the key itself. */
  readonly key: string | null;
  readonly model: string | null;
  /** Name of the upstream that answered; null for this device. Absent in records of older builds. */
  readonly upstream?: string | null;
  readonly status: number;
  readonly streamed: boolean;
  /** Milliseconds from the request to the end of the answer. */
  readonly duration: number;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  /** Sampled tokens a second, first token to last; null where there were fewer than two. */
  readonly tokensPerSecond: number | null;
  /** How it ended: `complete`, `cancelled` by the client, or the code of the error. */
  readonly outcome: string;
  /** Question and answer, kept only while the user has switched that on. */
  readonly content: { readonly request: string; readonly response: string } | null;
}

/** Request header: with `none` no record is made, by which a page leaves no trace of what its own user does not want kept. */
export const LOG_HEADER = 'x-tabserve-log';

/** Name of the BroadcastChannel that announces each new record to the pages. */
export const REQUEST_RECORDS_CHANNEL = 'tabserve/requests';

/** Records kept; the oldest goes when another comes. */
export const MAX_REQUEST_RECORDS = 200;
