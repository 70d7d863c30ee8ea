import { requestEndpoint } from './request-endpoint.ts';

/** An entry of `GET /v1/models`, as far as this page shows it. */
export interface ListedModel {
  readonly id: string;
  readonly context_window?: number;
  readonly default_temperature?: number;
  readonly default_top_p?: number;
  readonly tabserve?: {
    /** `upstream` for one that is not on this device. */
    readonly state: string;
    /** Name of the upstream that answers it, at least where this device cannot. */
    readonly upstream?: string;
    readonly capabilities?: { readonly chat?: boolean; readonly images?: boolean };
  };
}

/** Whether a model answers questions; the others compute embeddings. */
export function writes({ tabserve }: ListedModel): boolean {
  return tabserve?.capabilities?.chat !== false;
}

/** Whether questions may have images. */
export function seesImages({ tabserve }: ListedModel): boolean {
  return tabserve?.capabilities?.images === true;
}

/**
 * Every model that can answer without a further download.
 * @throws ApiError as {@link requestEndpoint} does.
 */
export async function listModels(signal: AbortSignal): Promise<readonly ListedModel[]> {
  const response = await requestEndpoint('models', signal);
  const { data } = (await response.json()) as { data: readonly ListedModel[] };
  return data;
}
