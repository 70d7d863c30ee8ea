import type { HubFault } from '../hub-messages.ts';

/** The hub does not serve this page. It never leaves this context. */
export class HubUnavailable extends Error {
  override name = 'HubUnavailable' as const;
  readonly fault: HubFault;

  constructor(fault: HubFault, message = `The hub does not serve this page: ${fault}.`) {
    super(message);
    this.fault = fault;
  }
}
