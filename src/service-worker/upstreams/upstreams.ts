import type { addSentRequest, UpstreamPermission } from '../../shared/upstreams/upstream-database.ts';
import type { Upstream, UpstreamInfo } from '../../shared/upstreams/upstream.ts';
import type { Exchange } from '../http/exchange.ts';
import type { JsonBody } from '../http/read-json-body.ts';

/** The path of a route, and what stands for the variable part of it. */
export interface RoutedPath {
  readonly path: string;
  readonly id: string;
}

/** The engines beyond this device, as the app sees them: asked for every request that may pass. */
export interface Upstreams {
  readonly configured: readonly UpstreamInfo[];
  /**
   * Decides where a request is answered, and has it answered there.
   * @param local Answers it on this device.
   * @throws what `local` throws.
   */
  answer(exchange: Exchange, path: RoutedPath, local: (exchange: Exchange) => Promise<Response>): Promise<Response>;
}

export interface UpstreamDependencies {
  /** Default: the global one. */
  readonly fetch: typeof fetch;
  /** What the user has agreed to. */
  readonly findPermission: (origin: string) => Promise<UpstreamPermission | null>;
  /** Told of each request before it is sent. */
  readonly addSentRequest: typeof addSentRequest;
  /** Keeps a newer build from cutting off an answer, until the signal aborts. */
  readonly holdAnswer: (finished: AbortSignal) => Promise<void>;
  /**
   * Milliseconds for which the head waits for that of the upstream, so that it has its status. Then it is sent: only a
   * body's `cancel()` tells that a client has left, and browsers give up an answer without a head.
   */
  readonly headTime: number;
}

export interface PassedRequest {
  readonly upstream: Upstream;
  readonly permission: UpstreamPermission;
  /** Below the base address. */
  readonly path: string;
  readonly body: JsonBody;
  /** As it was asked for. */
  readonly model: string;
}
