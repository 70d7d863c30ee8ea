import type { Tabserve } from '../../page/index.ts';
import { listModels } from '../api/list-models.ts';

/** Ids of the models that can answer, once the endpoint can say; none while it cannot. */
export async function usableModels(tabserve: Tabserve | undefined): Promise<readonly string[]> {
  await tabserve?.ready;
  if (tabserve === undefined) return [];
  const models = await listModels(new AbortController().signal).catch(() => []);
  return models.map(({ id }) => id);
}
