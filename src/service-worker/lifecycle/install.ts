import { readUpstreams, type Upstream } from '../../shared/upstreams/upstream.ts';
import { installService, type ServiceOptions } from './install-service.ts';
import { createUpstreams } from '../upstreams/create-upstreams.ts';

export interface InstallOptions extends Omit<ServiceOptions, 'upstreams'> {
  /** Servers that may answer beside this device, each only once the user has agreed. Default: none. */
  readonly upstreams?: readonly Upstream[];
}

/**
 * Makes this service worker answer `/v1/…` (or below `basePath`) of its own origin. Call it once, while the script runs for the
 * first time: listeners that are added later are not heard.
 * @throws TypeError with a sentence for options that are not as they must be.
 */
export function install({ upstreams = [], ...options }: InstallOptions = {}): void {
  installService({
    ...options,
    upstreams: upstreams.length > 0 ? createUpstreams(readUpstreams(upstreams)) : undefined,
  });
}
