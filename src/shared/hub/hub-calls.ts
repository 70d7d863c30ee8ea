import type { HubModel } from '../models/hub-model.ts';
import type { HubSite, HubSiteChanges } from './hub-site.ts';

/**
 * `given`: the person has just allowed the site. `same-site`: the site has the domain of the hub, which is enough unless
 * the person has revoked it.
 */
export type HubConsent = 'given' | 'same-site' | 'none';

/** Calls that only the hub's own pages and frames may send; see `EngineCalls`. */
export interface HubCalls {
  /**
   * Records that a site asks. Returns the models that the site may use; null if the person does not allow the site.
   */
  'hub/admit': {
    parameters: { readonly origin: string; readonly consent: HubConsent };
    result: readonly HubModel[] | null;
  };
  /** The sites that have asked, the first that asked first. */
  'hub/sites': { parameters: null; result: readonly HubSite[] };
  /** Changes what a site may do. Revoking the permission ends its running answers. */
  'hub/change-site': {
    parameters: { readonly origin: string; readonly changes: HubSiteChanges };
    result: null;
  };
}
