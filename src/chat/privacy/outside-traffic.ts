import type { ModelManager } from '../../page/index.ts';
import { ApiError } from '../../shared/api-error.ts';
import { outsideRequests, type OutsideRequest } from '../../shared/security/outside-requests.ts';
import { requestSiteReport } from '../browser/request-site-report.ts';

type TrafficSource = 'page' | 'engine' | 'service-worker';

export interface OutsideTraffic {
  /** Newest first. */
  readonly requests: readonly (OutsideRequest & { readonly source: TrafficSource })[];
  /** False if the page, the engine or the service worker did not report its requests. */
  readonly complete: boolean;
}

/** Requests to other origins by the page, the engine and the service worker. */
export async function outsideTraffic(manager: ModelManager): Promise<OutsideTraffic> {
  const [engine, site] = await Promise.all([engineRequests(manager), requestSiteReport()]);
  const requests = [
    ...from('page', outsideRequests()),
    ...from('engine', engine ?? []),
    ...from('service-worker', site?.outsideRequests ?? []),
  ];
  return { requests: requests.toSorted((a, b) => b.time - a.time), complete: engine !== null && site !== null };
}

/**
 * Returns the requests of the engine. Empty if the device cannot run models and so has no engine; null if the engine
 * does not reply.
 */
async function engineRequests(manager: ModelManager): Promise<readonly OutsideRequest[] | null> {
  return manager
    .outsideRequests()
    .catch((thrown: unknown) => (thrown instanceof ApiError && thrown.code === 'gpu_unavailable' ? [] : null));
}

function from(source: TrafficSource, requests: readonly OutsideRequest[]) {
  return requests.map((request) => ({ ...request, source }));
}
