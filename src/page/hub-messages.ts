import type { HubModel } from '../shared/models/hub-model.ts';

/** Increase it when the meaning of a message below changes. Sites and hubs of different builds meet. */
export const HUB_PROTOCOL = 1;

/** Script of a hub's frame is in this page, below the hub's address. */
export const HUB_FRAME = 'tabserve-hub.html';

/** Window of a site → frame of the hub, with a reply port as the only transferred object. */
export interface HubHello {
  readonly type: 'tabserve/hub';
  readonly protocol: number;
  /** The version of the messages on engine ports, see `PROTOCOL_VERSION`. */
  readonly version: number;
  /** Whether the frame is visible and asks the person. It then replies when the person has decided. */
  readonly asks?: true;
}

/**
 * Why a frame does not connect its site. `no-permission`: the person has not allowed the site, or has revoked that.
 * `no-access`: the browser does not let the frame use the hub's storage, or has no API for that. `nested`: the
 * site's page is itself in a frame of another origin. `other-version`: hub and site have incompatible builds.
 * `no-engine`: the hub's engine cannot be started. `no-answer`: the hub's server does not send what its frame needs.
 */
export type HubRefusal = 'no-permission' | 'no-access' | 'nested' | 'other-version' | 'no-engine' | 'no-answer';

/** Why the site's own engine answers in place of the hub's. `no-answer` also if the hub's frame does not load or reply. */
export type HubFault = HubRefusal;

/** Frame of the hub → window of a site, on the reply port. */
export type HubReply =
  /** The frame has got the hello. One that asks the person says so again after the person's click. */
  | { readonly type: 'starting' }
  /** The frame transfers ports to the engine now. `engine` is different for each engine. */
  | { readonly type: 'ready'; readonly engine: string; readonly models: readonly HubModel[] }
  | { readonly type: 'refused'; readonly reason: HubRefusal }
  /** The engine has ended. A new hello connects to the next one. */
  | { readonly type: 'ended' };

/** Window of a site → frame of the hub, on the reply port, with the port to connect as the only transferred object. */
export interface HubConnect {
  readonly type: 'connect';
}
