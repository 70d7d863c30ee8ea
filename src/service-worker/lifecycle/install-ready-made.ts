import {
  PROTOCOL_VERSION,
  type ServiceWorkerVersionMessage,
  type ServiceWorkerVersionReply,
} from '../../shared/messaging/messages.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';
import { installService } from './install-service.ts';
import type { InstallOptions } from './install.ts';

declare const self: ServiceWorkerGlobalScope & {
  /** Options that a site sets before it imports this script. */
  readonly tabserve?: InstallOptions;
  /** Creates the upstreams from the site's options. The separate script `tabserve-upstreams.js` sets this. */
  readonly tabserveUpstreams?: (upstreams: InstallOptions['upstreams']) => Upstreams;
};

/**
 * Installs the endpoint in a ready-made service worker, with the options in `self.tabserve`, which take precedence over
 * `defaults`. The code that can send requests to upstreams is a separate script, loaded only if the site names
 * upstreams.
 */
export function installReadyMade(defaults: InstallOptions = {}): void {
  const { upstreams = [], ...options } = self.tabserve ?? {};
  if (upstreams.length > 0) importScripts('tabserve-upstreams.js');
  try {
    installService({
      ...defaults,
      ...options,
      upstreams: upstreams.length > 0 ? self.tabserveUpstreams?.(upstreams) : undefined,
    });
  } catch (thrown) {
    // If this script threw, the page would learn only that the installation failed, but not why.
    reportFault(String(thrown));
  }
}

/** Makes this worker tell pages that ask for its version why it could not be installed. */
function reportFault(fault: string): void {
  self.addEventListener('message', ({ data, ports: [reply] }) => {
    if ((data as ServiceWorkerVersionMessage | null)?.type !== 'tabserve/version') return;
    reply?.postMessage({ version: PROTOCOL_VERSION, fault } satisfies ServiceWorkerVersionReply);
  });
}
