import type { SentRequest } from '../../shared/upstreams/sent-request.ts';
import type { UpstreamPermission } from '../../shared/upstreams/upstream-database.ts';
import type { Upstream, UpstreamInfo } from '../../shared/upstreams/upstream.ts';
import type { Exchange } from '../http/exchange.ts';
import type { JsonBody } from '../http/read-json-body.ts';

/** The pattern of a route, and the value of its variable part. */
export interface RoutedPath {
  readonly path: string;
  readonly id: string;
}

/** Servers that may respond instead of this device. */
export interface Upstreams {
  readonly configured: readonly UpstreamInfo[];
  /** Returns all options. By a hash of them pages notice that one has changed. */
  toJSON(): readonly Upstream[];
  /**
   * Decides for each accepted request whether this device or an upstream responds.
   * @param local Responds on this device.
   * @throws the errors of `local`.
   */
  answer(exchange: Exchange, path: RoutedPath, local: (exchange: Exchange) => Promise<Response>): Promise<Response>;
}

export interface UpstreamDependencies {
  /** Sends a request to an upstream. Default: the global `fetch`. */
  readonly fetch: typeof fetch;
  /** Returns the user's permission for an origin; null if there is none. */
  readonly findPermission: (origin: string) => Promise<UpstreamPermission | null>;
  /** Stores the facts about a request before it is sent. */
  readonly addSentRequest: (request: SentRequest) => Promise<void>;
  /** Tells the pages the facts about a request before it is sent, if they may not be stored. */
  readonly announceSentRequest: (request: SentRequest) => void;
  /** Prevents the takeover by a newer build until the signal aborts. */
  readonly holdAnswerLock: (finished: AbortSignal) => Promise<void>;
  /**
   * Milliseconds for which the response headers wait for those of the upstream. Then they are sent with status 200,
   * because only `cancel()` of the body reports that a client aborted the request, and browsers abort a fetch that gets
   * no response.
   */
  readonly headersTimeout: number;
}

export interface ForwardedRequest {
  readonly upstream: Upstream;
  /** Path below the base URL. */
  readonly path: string;
  readonly body: JsonBody;
  /** Id of the model in the request. */
  readonly model: string;
}
