import { LOG_HEADER } from '../../shared/storage/request-record.ts';
import { requestEndpoint } from './request-endpoint.ts';

/** An entry of `GET /v1/models`; only the fields that this page shows. */
export interface ListedModel {
  readonly id: string;
  readonly context_window?: number;
  readonly default_temperature?: number;
  readonly default_top_p?: number;
  readonly tabserve?: {
    /** `upstream` if the model runs on an upstream server and not on this device. */
    readonly state: string;
    /** Name of the upstream server that answers for this model, always or only if this device cannot. */
    readonly upstream?: string;
    /** Scheme, host and port of that server. */
    readonly upstream_origin?: string;
    readonly capabilities?: { readonly chat?: boolean; readonly images?: boolean };
  };
}

/** False for embedding and reranking models; true if nothing is known about the model. */
export function canChat({ tabserve }: ListedModel): boolean {
  return tabserve?.capabilities?.chat !== false;
}

export function seesImages({ tabserve }: ListedModel): boolean {
  return tabserve?.capabilities?.images === true;
}

/**
 * Lists the models that can be used without a download.
 * @param isTemporary Whether nothing about this may be stored, because a temporary chat is open: no request to an upstream
 * for its list either. Default: false.
 * @throws ApiError as {@link requestEndpoint} does.
 */
export async function listModels(signal: AbortSignal, isTemporary = false): Promise<readonly ListedModel[]> {
  const response = await requestEndpoint('models', signal, undefined, {
    mayLeave: true,
    headers: isTemporary ? { [LOG_HEADER]: 'memory' } : {},
  });
  const { data } = (await response.json()) as { data: readonly ListedModel[] };
  return data;
}
