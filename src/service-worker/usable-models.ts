import { ApiError } from '../shared/api-error.ts';
import type { KeyGrant } from '../shared/api-keys.ts';
import type { ModelEntry } from '../shared/model-entry.ts';
import { quote } from './request/describe-value.ts';

export interface UsableModels {
  readonly list: readonly ModelEntry[];
  /**
   * The model with this id, or that this alias stands for.
   * @throws ApiError `model_not_found`, also for a model that the key may not use.
   */
  find(id: string): ModelEntry;
}

/** The models on this device, as one key sees them. */
export function usableModels(
  models: readonly ModelEntry[],
  grant: KeyGrant,
  aliases: Readonly<Record<string, string>>,
): UsableModels {
  const list = models.filter(({ id }) => grant.models?.includes(id) ?? true);
  return {
    list,
    find(id) {
      const named = (wanted: string): ModelEntry | undefined => list.find((model) => model.id === wanted);
      const model = named(id) ?? (Object.hasOwn(aliases, id) ? named(aliases[id]!) : undefined);
      if (model !== undefined) return model;
      const known = list.slice(0, 8).map((model) => `\`${model.id}\``).join(', ') || 'none';
      throw new ApiError(
        'model_not_found',
        `The model ${quote(id)} is not on this device, or this key may not use it (it may use: ${known}). ` +
          'A model of the catalogue can be used once it has been downloaded under "Models" on the page.',
        { param: 'model' },
      );
    },
  };
}
