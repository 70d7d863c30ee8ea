import { DEFAULT_BASE_PATH } from '../shared/http/base-path.ts';

/** Every number of the HTTP layer, in one place. Times are milliseconds. */
export interface AppSettings {
  /** Path of the service below the origin, without a trailing slash. */
  readonly basePath: string;
  /** Id of the model that answers a request which names none; null refuses such a request. */
  readonly defaultModel: string | null;
  /** What runs the models; part of `system_fingerprint`. */
  readonly engineVersion: string;
  /** Most bytes of a request body; a larger one is a 413. */
  readonly maxBodyBytes: number;
  /**
   * The response head is sent after this time even when nothing has been generated yet: a client that
   * leaves is visible only through `cancel()` of a body that exists. For JSON it counts from when the model is ready.
   */
  readonly headDelay: number;
  /** Whether the head of a stream waits for the model, too: who has another engine for it must know first. */
  readonly streamAwaitsModel: boolean;
  /**
   * How long the head of a JSON answer may wait for its model; a smaller `X-Stainless-Timeout` shortens it. Must be
   * below the time after which the browser fails a fetch event without a response: 310 s in Chromium; in Firefox 153
   * 60 s after the last event, and the open page sends one every ten seconds (150 s were tried and held).
   */
  readonly headHoldTime: number;
  /** How often it is asked meanwhile whether the client is still there. */
  readonly clientCheckInterval: number;
  /** After this time without a byte a comment line (or, in JSON, white space) shows that the answer is still coming. */
  readonly keepAliveInterval: number;
}

export const DEFAULT_SETTINGS: AppSettings = {
  basePath: DEFAULT_BASE_PATH,
  defaultModel: null,
  engineVersion: '@mlc-ai/web-llm 0.2.86',
  maxBodyBytes: 20 * 1024 * 1024,
  headDelay: 500,
  streamAwaitsModel: false,
  headHoldTime: 240_000,
  clientCheckInterval: 5_000,
  keepAliveInterval: 10_000,
};
