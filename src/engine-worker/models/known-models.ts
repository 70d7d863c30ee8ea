import { ApiError } from '../../shared/api-error.ts';
import type { ModelOrigin, ModelSource } from '../../shared/models/model-management.ts';
import { isOfSite, type SiteModels } from '../../shared/models/site-models.ts';
import { catalogueModel, unlistedModel, type CatalogueModel, type CatalogueRecord } from './catalogue-model.ts';
import type { GraphicsDevice } from './device-fit.ts';
import type { ModelRecords } from './model-records.ts';
import { haveSameFiles, sourceOf } from './source-of.ts';

export interface KnownModelsOptions {
  readonly catalogue: () => Promise<readonly CatalogueRecord[]>;
  /** Returns the GGUF models that Tabserve offers. With a mirror, their addresses lead to it. Default: none. */
  readonly ggufCatalogue?: (mirror: string | null) => readonly CatalogueModel[];
  readonly siteModels: (site: string) => SiteModels;
  readonly records: ModelRecords;
  /** Features and limits of the GPU adapter; null if there is none. */
  readonly device: () => Promise<GraphicsDevice | null>;
}

/** Which models there are, and where their files come from. `site` is the root address of a site, with a trailing slash. */
export class KnownModels {
  readonly #options: KnownModelsOptions;

  constructor(options: KnownModelsOptions) {
    this.#options = options;
  }

  /** Lists the models that the site provides, then those that the user added, then the catalogue in its own order. */
  async list(site: string): Promise<readonly CatalogueModel[]> {
    const { catalogue, records, siteModels } = this.#options;
    const [listed, entries, downloads, device] = await Promise.all([
      catalogue(),
      records.models(),
      records.downloads(),
      this.#options.device(),
    ]);
    const { entries: brought, catalogueBase, noSubgroups, isStrict } = siteModels(site);
    const builtIn = brought.map((entry) => unlistedModel(sourceOf(entry), 'built-in'));
    const ids = new Set(builtIn.map(({ source }) => source.id));
    const own = new Map<string, ModelSource>();
    for (const { source } of downloads) own.set(source.id, source);
    for (const entry of entries) own.set(entry.id, sourceOf(entry));
    const models: CatalogueModel[] = listed
      .filter((record) => !ids.has(record.model_id))
      .map((record) => catalogueModel(record, catalogueBase, own.get(record.model_id), noSubgroups ? null : device));
    for (const model of this.#options.ggufCatalogue?.(catalogueBase) ?? []) {
      if (!ids.has(model.source.id)) models.push({ ...model, source: own.get(model.source.id) ?? model.source });
    }
    // What was downloaded before the site became strict stays usable.
    const offered = isStrict
      ? models.filter(({ source }) => own.has(source.id) || isOfSite(source.modelUrl, site))
      : models;
    for (const { source } of offered) ids.add(source.id);
    const custom: ModelOrigin = 'custom';
    const added = [...own.values()].filter(({ id }) => !ids.has(id)).map((source) => unlistedModel(source, custom));
    return [...builtIn, ...added, ...offered];
  }

  /**
   * @param isNew Whether the model must not even be the one that has the id. Default: false.
   * @throws ApiError `invalid_value` if another model has the id.
   */
  async requireFree(model: ModelSource, site: string, isNew = false): Promise<void> {
    const { id } = model;
    const other = (await this.list(site)).find(({ source }) => source.id === id)?.source;
    if (other && (isNew || !haveSameFiles(model, other)))
      throw new ApiError('invalid_value', `There is already a model called ${id}.`, { param: 'id' });
  }

  /** @throws ApiError `model_not_found` for an unknown id. */
  async find(id: string, site: string): Promise<CatalogueModel> {
    const model = (await this.list(site)).find(({ source }) => source.id === id);
    if (model === undefined) throw unknownModel(id);
    return model;
  }

  /**
   * Lists where the files of the site's models, the user's models and unfinished downloads come from.
   * @param except Id of the model that is not meant; null for none.
   */
  async sources(except: string | null, site: string): Promise<readonly ModelSource[]> {
    const ofSite = this.#options.siteModels(site).entries.map(sourceOf);
    return [...ofSite, ...(await this.storedSources())].filter(({ id }) => id !== except);
  }

  /**
   * Lists where files of the site's own models came from that it does not name any more: it has taken the model from its list,
   * or has moved it, and the user has not loaded it since. Likewise those of the user's models whose names the site's now have.
   * Without those that another site of this origin names: its model is still in use.
   */
  async leftSources(site: string): Promise<readonly ModelSource[]> {
    const now = this.#options.siteModels(site).entries.map(sourceOf);
    const { [site]: before = [], ...others } = Object.fromEntries(await this.#options.records.siteSources());
    const elsewhere = Object.values(others).flat();
    const hidden = (await this.storedSources()).filter(({ id }) => now.some((source) => source.id === id));
    return [...before, ...hidden.filter((each) => !isIn(before, each))].filter(
      (each) => !isIn(now, each) && !elsewhere.some((other) => haveSameFiles(other, each)),
    );
  }

  /** Where the files of the user's models and unfinished downloads come from. */
  async storedSources(): Promise<readonly ModelSource[]> {
    const { records } = this.#options;
    const [entries, downloads] = await Promise.all([records.models(), records.downloads()]);
    return [...entries.map(sourceOf), ...downloads.map(({ source }) => source)];
  }
}

export function unknownModel(id: string): ApiError {
  return new ApiError('model_not_found', `There is no model called ${JSON.stringify(id)}.`, { param: 'id' });
}

function isIn(sources: readonly ModelSource[], one: ModelSource): boolean {
  return sources.some((source) => source.id === one.id && haveSameFiles(source, one));
}

/** Returns the id, followed by a number if another model has the same id. */
export function freeId(id: string, taken: ReadonlyMap<string, unknown>): string {
  if (!taken.has(id)) return id;
  for (let number = 2; ; number++) if (!taken.has(`${id}-${number}`)) return `${id}-${number}`;
}
