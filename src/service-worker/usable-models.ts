import { ApiError } from '../shared/api-error.ts';
import type { KeyGrant } from '../shared/api-keys.ts';
import type { ModelEntry } from '../shared/model-entry.ts';
import type { ModelAbsence } from './model-absence.ts';
import { quote } from '../shared/describe-value.ts';

export interface UsableModels {
  list(): Promise<readonly ModelEntry[]>;
  /**
   * The model with this id, or that this alias stands for.
   * @throws ApiError `model_not_found`, also for a model that the key may not use.
   */
  find(id: string): Promise<ModelEntry>;
}

export interface UsableModelsOptions {
  /** The models on this device. */
  models(): Promise<readonly ModelEntry[]>;
  /** Why a model is not among them; null when nobody has heard of it. */
  absence(id: string): Promise<ModelAbsence | null>;
  readonly grant: KeyGrant;
  readonly aliases: Readonly<Record<string, string>>;
}

/** The models on this device, as one key sees them. */
export function usableModels({ models, absence, grant, aliases }: UsableModelsOptions): UsableModels {
  const permitted = (id: string): boolean => grant.models?.includes(id) ?? true;
  const list = async () => (await models()).filter(({ id }) => permitted(id));
  return {
    list,
    async find(id) {
      const usable = await list();
      const target = Object.hasOwn(aliases, id) ? aliases[id]! : id;
      const model = usable.find((one) => one.id === id) ?? usable.find((one) => one.id === target);
      if (model !== undefined) return model;
      const reason = permitted(target) ? await absence(target) : null;
      const message = reason === null ? unknownModel(id, usable) : absentModel(target, reason);
      throw new ApiError('model_not_found', message, { param: 'model' });
    },
  };
}

function unknownModel(id: string, usable: readonly ModelEntry[]): string {
  const names = usable.slice(0, 8).map((model) => `\`${model.id}\``);
  return `The model ${quote(id)} does not exist, or this key may not use it. It may use: ${names.join(', ') || 'none'}.`;
}

function absentModel(id: string, reason: ModelAbsence): string {
  return reason === 'not-downloaded'
    ? `The model ${quote(id)} is not on this device yet. Download it first, under "Models" on the page.`
    : `The download of the model ${quote(id)} has not ended yet. "Models" on the page shows how far it is.`;
}
