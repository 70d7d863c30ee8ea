import { DEFAULT_BASE_PATH } from '../shared/http/base-path.ts';

/** Settings of the HTTP layer. Times are milliseconds. */
export interface AppSettings {
  /** Path of the endpoint, without a trailing slash. */
  readonly basePath: string;
  /** Model for requests that name none; null rejects such requests. */
  readonly defaultModel: string | null;
  /** Version of the engine, which is part of each response's `system_fingerprint`. */
  readonly engineVersion: string;
  /** Largest request body in bytes. A larger one gets status 413. */
  readonly maxBodyBytes: number;
  /** Largest file that can be uploaded, in bytes. A larger one gets status 413. */
  readonly maxFileBytes: number;
  /**
   * Milliseconds for which the response headers of a stream wait for the first output. After that they are sent without
   * it, because only `cancel()` of the response body tells a service worker that its client aborted the request.
   */
  readonly headersDelay: number;
  /**
   * Milliseconds from the first output for which the headers of a JSON response wait for its end while another
   * completion waits. After that they are sent, for the same reason as those of a stream.
   */
  readonly jsonHeadersDelay: number;
  /**
   * Whether the response headers of a stream also wait until the model is loaded. Set if an upstream may respond
   * instead of this device, which is possible only before the headers are sent.
   */
  readonly streamHeadersAwaitModel: boolean;
  /**
   * How long the headers of a JSON response may wait for its model and its end, so that a failure keeps its status; a smaller `X-Stainless-Timeout` shortens it.
   * Browsers wait longer for the response to a fetch event: Chromium 310 s; Firefox 153 waits 60 s after the worker's
   * last event, and the open page causes an event every ten seconds.
   */
  readonly headersTimeout: number;
  /**
   * Interval at which the service worker checks, until the response headers are sent, whether the client (page, frame,
   * worker) still exists.
   */
  readonly clientCheckInterval: number;
  /**
   * After this time without output a keep-alive text is sent: a comment in a stream, white space in a JSON document.
   */
  readonly keepAliveInterval: number;
}

export const DEFAULT_SETTINGS: AppSettings = {
  basePath: DEFAULT_BASE_PATH,
  defaultModel: null,
  engineVersion: '@mlc-ai/web-llm 0.2.86',
  maxBodyBytes: 20 * 1024 * 1024,
  maxFileBytes: 100 * 1024 * 1024,
  headersDelay: 500,
  jsonHeadersDelay: 10_000,
  streamHeadersAwaitModel: false,
  headersTimeout: 240_000,
  clientCheckInterval: 5_000,
  keepAliveInterval: 10_000,
};
