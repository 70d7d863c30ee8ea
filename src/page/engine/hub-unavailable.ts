import type { HubFault } from '../hub-messages.ts';

/** The hub does not serve this page. It never leaves this context. */
export class HubUnavailable extends Error {
  override name = 'HubUnavailable' as const;
  readonly fault: HubFault;

  constructor(fault: HubFault) {
    super(`The hub does not serve this page: ${fault}.`);
    this.fault = fault;
  }
}
