import type { UpstreamInfo } from '../../shared/upstream.ts';
import type { Exchange } from '../exchange.ts';

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
