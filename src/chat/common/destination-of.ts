import type { PageStatus } from '../../page/index.ts';
import type { ListedModel } from '../api/list-models.ts';
import type { Destination } from '../types/destination.ts';

/**
 * Returns the server to which the next question for `model` goes; null if it stays on this device.
 * @param model The model's entry in the list of models; undefined if it is not available.
 */
export function destinationOf(model: ListedModel | undefined, status: PageStatus | undefined): Destination | null {
  const { state, upstream, upstream_origin: origin = '' } = model?.tabserve ?? {};
  if (upstream === undefined) return null;
  const host = URL.canParse(origin) ? new URL(origin).host : origin;
  return { name: upstream, host, isFallback: state !== 'upstream' && status?.state !== 'unsupported' };
}
