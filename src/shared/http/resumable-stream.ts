/* Request headers of `POST /v1/chat/completions` that let a client resume its response after the service worker was
   stopped or, with `x-tabserve-outlives: page`, after the page was closed. */

/**
 * Id of the stream: 22 to 64 random letters, digits, `-` and `_`. Any client that knows the id and the API key can read
 * the response.
 */
export const STREAM_ID_HEADER = 'x-tabserve-stream-id';

/**
 * Number of the last event that the client received, −1 if it received none. With this header the response resumes with
 * the next event, or fails with 404 `stream_not_found`; no new completion starts. Without it a new completion starts;
 * if one with this stream id exists, that one is replayed from its first event.
 */
export const LAST_EVENT_HEADER = 'x-tabserve-last-event';

/**
 * Whether the completion continues after its client has disconnected: `page` means yes; the default, `service-worker`,
 * means that the completion is then cancelled. After a stop of the service worker it continues in both cases, but
 * without `page` only for 15 seconds.
 */
export const OUTLIVES_HEADER = 'x-tabserve-outlives';

/** How a completion can be resumed. */
export interface ResumableStream {
  /** Chosen by the client, unique within the site. */
  readonly id: string;
  readonly outlives: 'service-worker' | 'page';
  /** True if the completion must exist already; otherwise the request fails. */
  readonly joinsOnly: boolean;
  /** Id under which the log is stored when the completion ends; absent if it is not stored. */
  readonly answerId?: string;
}
