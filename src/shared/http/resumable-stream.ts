/*
 * Request headers of `POST /v1/chat/completions` with which a client can resume its response after the service worker was
 * stopped or, on request, after the page was closed.
 */

/** Id of the stream: 22 to 64 random letters, digits, `-` and `_`. Whoever knows it and the API key gets the response. */
export const STREAM_ID_HEADER = 'x-tabserve-stream-id';

/**
 * Number of the last event that the client received, −1 if it received none. The response then resumes with the next
 * event, or is a 404 `stream_not_found`; no completion is started. Without this header the completion is started, or
 * replayed from its first event if it exists.
 */
export const LAST_EVENT_HEADER = 'x-tabserve-last-event';

/**
 * With `page` the completion continues after its client has disconnected. With `service-worker`, the default, it is
 * cancelled then.
 */
export const OUTLIVES_HEADER = 'x-tabserve-outlives';

/** How a completion can be resumed. */
export interface ResumableStream {
  /** Chosen by the client, unique within the site. */
  readonly id: string;
  readonly outlives: 'service-worker' | 'page';
  /** True if the completion must exist already. */
  readonly joinsOnly: boolean;
  /** Id under which the log is stored at its end; absent if it is not stored. */
  readonly answerId?: string;
}
