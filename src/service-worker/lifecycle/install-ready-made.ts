import {
  PROTOCOL_VERSION,
  type ServiceWorkerVersionMessage,
  type ServiceWorkerVersionReply,
} from '../../shared/messaging/messages.ts';
import type { InstallOptions } from './install.ts';
import { installService } from './install-service.ts';
import type { Upstreams } from '../upstreams/upstreams.ts';

declare const self: ServiceWorkerGlobalScope & {
  /** Options that a site sets in a line before this script. */
  readonly tabserve?: InstallOptions;
  /** Set by `tabserve-upstreams.js`. */
  readonly tabserveUpstreams?: (upstreams: InstallOptions['upstreams']) => Upstreams;
};

/**
 * Makes a ready-made service worker answer, with the options that the site has set as `self.tabserve`. What can send a
 * request to an upstream is a script of its own, beside this one: where the site names none it is not even here.
 */
export function installReadyMade(): void {
  const { upstreams = [], ...options } = self.tabserve ?? {};
  if (upstreams.length > 0) importScripts('tabserve-upstreams.js');
  try {
    installService({ ...options, upstreams: upstreams.length > 0 ? self.tabserveUpstreams?.(upstreams) : undefined });
  } catch (thrown) {
    // Of a script that throws, a page learns no more than that it did.
    tellFault(String(thrown));
  }
}

/** Answers nothing but the question what is wrong. */
function tellFault(fault: string): void {
  self.addEventListener('message', ({ data, ports: [reply] }) => {
    if ((data as ServiceWorkerVersionMessage | null)?.type !== 'tabserve/version') return;
    reply?.postMessage({ version: PROTOCOL_VERSION, fault } satisfies ServiceWorkerVersionReply);
  });
}
