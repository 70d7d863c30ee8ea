import type { ModelManager } from '../../page/index.ts';
import { ApiError } from '../../shared/api-error.ts';
import { outsideRequests, type OutsideRequest } from '../../shared/security/outside-requests.ts';
import { askSite } from '../browser/site-report.ts';

type TrafficSource = 'page' | 'engine' | 'service-worker';

export interface OutsideTraffic {
  /** Newest first. */
  readonly requests: readonly (OutsideRequest & { readonly source: TrafficSource })[];
  /** False where one of the three could not be asked. */
  readonly complete: boolean;
}

/** What has left the origin, from all three that could have sent it. */
export async function outsideTraffic(manager: ModelManager): Promise<OutsideTraffic> {
  const [engine, site] = await Promise.all([engineRequests(manager), askSite()]);
  const requests = [
    ...from('page', outsideRequests()),
    ...from('engine', engine ?? []),
    ...from('service-worker', site?.outsideRequests ?? []),
  ];
  return { requests: requests.toSorted((a, b) => b.time - a.time), complete: engine !== null && site !== null };
}

/** Where no model can run there is no engine, and nothing can have been sent by it. Null if it does not answer. */
async function engineRequests(manager: ModelManager): Promise<readonly OutsideRequest[] | null> {
  return manager
    .outsideRequests()
    .catch((thrown: unknown) => (thrown instanceof ApiError && thrown.code === 'gpu_unavailable' ? [] : null));
}

function from(source: TrafficSource, requests: readonly OutsideRequest[]) {
  return requests.map((request) => ({ ...request, source }));
}
