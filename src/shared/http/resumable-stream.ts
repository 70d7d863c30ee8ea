/**
 * Headers of `POST /v1/chat/completions` for a client that wants to find its answer again, whatever broke it: a service
 * worker that was stopped, and if it asks for that, the page's own end.
 */

/** Names the answer: 22 to 64 letters, digits, `-` and `_`, random, since who knows it (and the key) gets the answer. */
export const STREAM_ID_HEADER = 'x-tabserve-stream-id';

/**
 * Number of the last event that came, −1 for none. With it, nothing is begun: the answer is sent from the next event on,
 * or a 404 `stream_not_found`. Without it the answer is begun, or sent from its start if it was begun already.
 */
export const LAST_EVENT_HEADER = 'x-tabserve-last-event';

/** `page`: the answer goes on when whoever asked is gone. Default: `service-worker`, it ends when its client leaves. */
export const OUTLIVES_HEADER = 'x-tabserve-outlives';

/** How a completion can be found again. */
export interface ResumableStream {
  /** Chosen by the client. No two answers of one site share it. */
  readonly id: string;
  readonly outlives: 'service-worker' | 'page';
  /** True where only an answer is wanted that was begun already. */
  readonly joinsOnly: boolean;
  /** Id of the answer under which the log is stored at its end; absent where it is not. */
  readonly answerId?: string;
}
