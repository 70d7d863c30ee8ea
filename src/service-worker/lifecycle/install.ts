import { readUpstreams, type Upstream } from '../../shared/upstreams/upstream.ts';
import { createUpstreamRouter } from '../upstreams/upstream-router.ts';
import { installService, type ServiceOptions } from './install-service.ts';

export interface InstallOptions extends Omit<ServiceOptions, 'upstreams'> {
  /** Servers that may respond instead of this device, each only with the user's permission. Default: none. */
  readonly upstreams?: readonly Upstream[];
}

/**
 * Makes this service worker respond to requests below `/v1` (or `basePath`) of its own origin. Call it once,
 * synchronously while the script runs: browsers ignore fetch listeners that are added later.
 * @throws TypeError for invalid options.
 */
export function install({ upstreams = [], ...options }: InstallOptions = {}): void {
  installService({
    ...options,
    upstreams: upstreams.length > 0 ? createUpstreamRouter(readUpstreams(upstreams)) : undefined,
  });
}
