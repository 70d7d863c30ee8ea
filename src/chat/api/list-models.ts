import { LOCAL_KEY, endpoint } from './endpoint.ts';
import { errorFromResponse } from './error-from-response.ts';

/** An entry of `GET /v1/models`, as far as this page shows it. */
export interface ListedModel {
  readonly id: string;
  readonly context_window?: number;
  readonly default_temperature?: number;
  readonly default_top_p?: number;
}

/** Every model that can answer without a further download. */
export async function listModels(signal: AbortSignal): Promise<readonly ListedModel[]> {
  const response = await fetch(endpoint('models'), { headers: { authorization: `Bearer ${LOCAL_KEY}` }, signal });
  if (!response.ok) throw await errorFromResponse(response);
  const { data } = (await response.json()) as { data: readonly ListedModel[] };
  return data;
}
