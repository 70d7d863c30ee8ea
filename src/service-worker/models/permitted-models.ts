import { ApiError } from '../../shared/api-error.ts';
import { quote } from '../../shared/describe-value.ts';
import type { KeyGrant } from '../../shared/keys/find-key-grant.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import type { ModelAbsence } from './absent-models.ts';

export interface PermittedModels {
  /** Whether the key may use the model with this id, be it on this device or at an upstream. */
  permits(id: string): boolean;
  list(): Promise<readonly ModelEntry[]>;
  /**
   * The model with this id or alias.
   * @param embeds Whether the model must compute embeddings (true) or generate text (false). Default: either.
   * @throws ApiError `model_not_found`, also for a model that the key may not use; `unsupported_value` for a model of
   * the other kind; `storage_unavailable` if the database cannot tell whether the model is on this device.
   */
  find(id: string, embeds?: boolean): Promise<ModelEntry>;
  /** Models that are not on this device but could be downloaded. */
  listAbsent(): Promise<readonly { readonly id: string; readonly reason: ModelAbsence }[]>;
}

export interface PermittedModelsOptions {
  models(): Promise<readonly ModelEntry[]>;
  findModel(id: string): Promise<ModelEntry | null>;
  absence(id: string): Promise<ModelAbsence | null>;
  absentModels(): Promise<readonly string[]>;
  readonly grant: KeyGrant;
  readonly aliases: Readonly<Record<string, string>>;
}

/** Returns the models on this device that one key may use. */
export function permittedModels({
  models,
  findModel,
  absence,
  absentModels,
  grant,
  aliases,
}: PermittedModelsOptions): PermittedModels {
  const permits = (id: string): boolean => grant.models?.includes(id) ?? true;
  const list = async () => (await models()).filter(({ id }) => permits(id));
  const lookUp = async (id: string) => (permits(id) ? findModel(id) : null);
  return {
    permits,
    list,
    async listAbsent() {
      const ids = (await absentModels()).filter(permits);
      return Promise.all(
        ids.map(async (id) => {
          // If the database fails, it is unknown whether a download is unfinished. The model counts as not downloaded.
          const reason = await absence(id).catch(() => null);
          return { id, reason: reason ?? 'not-downloaded' };
        }),
      );
    },
    async find(id, embeds) {
      const target = Object.hasOwn(aliases, id) ? aliases[id]! : id;
      const named = await lookUp(id).catch((thrown: unknown) => {
        // The lookup failed because the database cannot be opened. If `id` is an alias, its target may be a model of
        // the site, whose lookup needs no database.
        if (target === id) throw thrown;
        return null;
      });
      const model = named ?? (await lookUp(target));
      if (model !== null) {
        if (embeds === undefined || embeds === isEmbedding(model)) return model;
        throw new ApiError('unsupported_value', wrongKind(model, await list()), { param: 'model' });
      }
      const reason = permits(target) ? await absence(target) : null;
      const message = reason === null ? unknownModel(id, await list()) : absentModel(target, reason);
      throw new ApiError('model_not_found', message, { param: 'model' });
    },
  };
}

const isEmbedding = ({ embedding }: ModelEntry): boolean => embedding !== undefined;

function wrongKind(model: ModelEntry, permitted: readonly ModelEntry[]): string {
  const embeds = isEmbedding(model);
  const other = permitted.find((candidate) => isEmbedding(candidate) !== embeds);
  const does = embeds ? 'computes embeddings and writes nothing' : 'writes and computes no embeddings';
  const instead = other
    ? `Use \`${other.id}\`.`
    : 'This key may use none that does. A page of this site can download others, with `ModelManager`.';
  return `The model \`${model.id}\` ${does}. ${instead}`;
}

function unknownModel(id: string, permitted: readonly ModelEntry[]): string {
  const names = permitted.slice(0, 8).map((model) => `\`${model.id}\``);
  return `The model ${quote(id)} does not exist, or this key may not use it. It may use: ${names.join(', ') || 'none'}.`;
}

function absentModel(id: string, reason: ModelAbsence): string {
  return reason === 'not-downloaded'
    ? `The model ${quote(id)} is not on this device yet. A page of this site can download it, with \`ModelManager\`.`
    : `The download of the model ${quote(id)} has not ended yet. \`ModelManager\` tells a page of this site how far it is.`;
}
