import { DEFAULT_BASE_PATH } from '../shared/http/base-path.ts';

/** Settings of the HTTP layer. Times are milliseconds. */
export interface AppSettings {
  /** Path of the endpoint, without a trailing slash. */
  readonly basePath: string;
  /** Model for requests that name none; null rejects such requests. */
  readonly defaultModel: string | null;
  /** For `system_fingerprint`. */
  readonly engineVersion: string;
  /** A larger request body is a 413. */
  readonly maxBodyBytes: number;
  /**
   * The response headers are sent after this time even without output, because only `cancel()` of the body reports that a
   * client disconnected. For JSON the time counts from when the model is ready.
   */
  readonly headersDelay: number;
  /** Whether the headers of a stream also wait for the model. An upstream can take over only before the headers. */
  readonly streamHeadersAwaitModel: boolean;
  /**
   * How long the headers of a JSON response may wait for the model; a smaller `X-Stainless-Timeout` shortens it. Must be below
   * the time after which the browser fails a fetch event without a response: 310 s in Chromium; in Firefox 153 60 s after the
   * worker's last event, of which the open page sends one every ten seconds (150 s held in a trial).
   */
  readonly headersTimeout: number;
  /** Interval for checking, before the headers, whether the client is connected. */
  readonly clientCheckInterval: number;
  /** After this time without output a comment (in JSON: white space) keeps the connection open. */
  readonly keepAliveInterval: number;
}

export const DEFAULT_SETTINGS: AppSettings = {
  basePath: DEFAULT_BASE_PATH,
  defaultModel: null,
  engineVersion: '@mlc-ai/web-llm 0.2.86',
  maxBodyBytes: 20 * 1024 * 1024,
  headersDelay: 500,
  streamHeadersAwaitModel: false,
  headersTimeout: 240_000,
  clientCheckInterval: 5_000,
  keepAliveInterval: 10_000,
};
