import type { HubRefusal } from '../../shared/messaging/hub-messages.ts';

/** Why the site's own engine answers in place of the hub's. `no-answer`: the hub's frame does not load or reply. */
export type HubFault = HubRefusal | 'no-answer';

/** The hub does not serve this page. It never leaves this context. */
export class HubUnavailable extends Error {
  override name = 'HubUnavailable' as const;
  readonly fault: HubFault;

  constructor(fault: HubFault) {
    super(`The hub does not serve this page: ${fault}.`);
    this.fault = fault;
  }
}
