import { ApiError } from '../../shared/api-error.ts';
import { withTimeout } from '../../shared/timeout.ts';
import { continuesText } from '../../shared/models/continues-text.ts';
import { isBuiltIn } from '../../shared/models/built-in-models.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import type { ModelSettings } from '../../shared/models/model-settings.ts';
import type {
  CustomModel,
  DeviceFit,
  DownloadProgress,
  GgufOffer,
  ModelEvent,
  ModelListing,
  ModelSource,
  ModelState,
  StorageReport,
} from '../../shared/models/model-management.ts';
import { modelsForProcessor } from '../../shared/models/site-models.ts';
import { catalogueSize, unlistedModel, type CatalogueModel } from './catalogue-model.ts';
import { ChosenFiles } from './download/chosen-files.ts';
import { ggufFit, ggufMemory, type GgufLimits } from './gguf/gguf-fit.ts';
import { ggufWindow, inspectGguf } from './gguf/inspect-gguf.ts';
import { customSource } from './custom-model.ts';
import { deviceFit, withWindow, type DeviceNeeds } from './device-fit.ts';
import type { DownloadEnvironment } from './download/download-environment.ts';
import type { Downloads } from './download/downloads.ts';
import { inspectModel, knownFiles, modelBytes, storedBytes } from './download/installed-model.ts';
import { freeId, KnownModels, type KnownModelsOptions } from './known-models.ts';
import { ModelDeletions } from './model-deletions.ts';
import { haveSameFiles, sourceOf } from './source-of.ts';
import { requireOwnOrigin, strictFetch } from './strict-site.ts';
import { plainLibrary } from './subgroup-library.ts';
import { Turns } from './turns.ts';
import { contextWindowOnDevice } from './context-window-on-device.ts';
import { checkedKeepAlive, checkedParallel, checkedWindow, settingsOf } from './user-settings.ts';
import { packageSize, requirePackage } from './download/package-size.ts';

export interface ManagedModelsOptions extends GgufLimits, KnownModelsOptions {
  readonly environment: DownloadEnvironment;
  readonly downloads: Downloads;
  /** Sends an event to every page. */
  readonly announce: (event: ModelEvent) => void;
  /** Files that the user has chosen; `environment.fetch` reads them. Default: none. */
  readonly chosenFiles?: ChosenFiles;
}

/**
 * The verdict for a site's GGUF model that only the site's options describe, and without WebGPU for a model that llama.cpp
 * runs instead: nothing is known against them.
 */
const FITS: DeviceFit = { verdict: 'yes', reasons: [] };

/** A model that the site does not list any more. */
const GONE = { fit: { verdict: 'no', reasons: [] }, state: { kind: 'absent' } } as const;

/** Maximum milliseconds to wait for settings that are being stored. */
const SETTING_TIME = 3000;

type Check = (entry: ModelEntry) => ModelSettings | Promise<ModelSettings>;

/**
 * The models that are on this device or can be downloaded. In all methods `site` is the root address of the calling
 * page's site, with a trailing slash.
 */
export class ManagedModels {
  readonly #options: ManagedModelsOptions;
  readonly #known: KnownModels;
  /** Download sizes in bytes by model id, as far as servers have reported them. */
  readonly #sizes = new Map<string, number>();
  /** The models whose GGUF headers were read, by id. They are listed after their download has begun. */
  readonly #offered = new Map<string, ModelSource>();
  readonly #turns = new Turns();
  readonly #deletions: ModelDeletions;
  /** Pending while settings are being stored. */
  #setting: Promise<unknown> = Promise.resolve();

  constructor(options: ManagedModelsOptions) {
    this.#options = options;
    this.#known = new KnownModels(options);
    const isHere = async (id: string, site: string) =>
      (await this.#listed(site)).some((model) => model.id === id && model.state.kind !== 'absent');
    this.#deletions = new ModelDeletions(options, this.#known, this.#turns, isHere);
  }

  /**
   * Lists the models that the site provides, then those that the user added, then the catalogue in its own order, and last
   * those that the site has provided and whose files are still here.
   */
  async list(site: string): Promise<readonly ModelListing[]> {
    const listings = [...(await this.#listed(site))];
    const isAbsent = (id: string) => listings.find((listing) => listing.id === id)?.state.kind === 'absent';
    for (const [id, { source, bytes: leftBytes }] of await this.#left(site, isAbsent)) {
      const at = listings.findIndex((listing) => listing.id === id);
      const [gone] = at < 0 ? await this.#describe([unlistedModel(source, 'built-in')], site) : [];
      if (gone) listings.push({ ...gone, ...GONE, leftBytes });
      else listings[at] = { ...listings[at]!, leftBytes };
    }
    return listings;
  }

  /**
   * Returns the files of the site's own models that are not in use, by the ids of these models: what an interrupted load has
   * left, and what came from where the site does not have the model any more.
   * @param isAbsent Whether a listed model is not on this device.
   */
  async #left(
    site: string,
    isAbsent: (id: string) => boolean,
  ): Promise<ReadonlyMap<string, { readonly source: ModelSource; readonly bytes: number }>> {
    const { siteModels, environment } = this.#options;
    const begun = siteModels(site).entries.filter(({ id }) => !isBuiltIn(id) && isAbsent(id));
    const sources = [...(await this.#known.leftSources(site)), ...begun.map(sourceOf)];
    const left = new Map<string, { source: ModelSource; bytes: number }>();
    const used = sources.length > 0 ? await this.#known.sources(null, site) : [];
    for (const source of sources) {
      const others = used.filter((other) => other.id !== source.id || !haveSameFiles(other, source));
      const bytes = await storedBytes(source, others, environment.caches);
      if (bytes > 0) left.set(source.id, { source, bytes: bytes + (left.get(source.id)?.bytes ?? 0) });
    }
    return left;
  }

  /** The models that a site lists, without looking for files of theirs that are not in use, which takes long. */
  async #listed(site: string): Promise<readonly ModelListing[]> {
    return this.#describe(await this.#known.list(site), site);
  }

  async #describe(known: readonly CatalogueModel[], site: string): Promise<readonly ModelListing[]> {
    const { downloads, records, deviceMemory, siteModels } = this.#options;
    const onProcessor = modelsForProcessor(siteModels(site));
    const [standing, entries, device] = await Promise.all([downloads.all(), records.models(), this.#options.device()]);
    const installed = new Map(entries.map((entry) => [entry.id, entry]));
    return Promise.all(
      known.map(async (model) => {
        const { source, origin, description, page } = model;
        const { gguf } = source;
        const entry = installed.get(source.id);
        const limits = entry === undefined ? null : contextWindowOnDevice(entry, device, this.#options);
        const contextWindow = entry?.contextWindow ?? source.contextWindow;
        const parallel = entry?.parallel ?? 1;
        const stated = await this.#needs(model);
        const needs = gguf
          ? { ...stated, memoryBytes: ggufMemory(gguf, contextWindow ?? ggufWindow(gguf), parallel) }
          : withWindow(stated, source.contextWindow, contextWindow, limits);
        const state = await this.#state(model, standing.get(source.id), installed);
        const { family, parameters, quantization, licence, thinking } = description;
        return {
          id: source.id,
          origin,
          ...(source.format && { format: source.format }),
          ...(model.goodFor && { goodFor: model.goodFor }),
          family,
          parameters,
          quantization,
          licence,
          page,
          memoryBytes: needs.memoryBytes,
          ...this.#downloadSize(model, state),
          contextWindow,
          ...(limits && {
            windowLimits: { most: limits.most, bytesPerToken: limits.bytesPerToken && limits.bytesPerToken * parallel },
          }),
          ...(entry && { settings: settingsOf(entry, this.#options) }),
          ...(plainLibrary(source.libraryUrl) !== null && { subgroups: true as const }),
          images: source.images,
          thinking: thinking !== null,
          embedding: source.embedding === true,
          ...(gguf?.embedding?.ranks && { ranks: true as const }),
          ...(continuesText(source) && { continues: true as const }),
          fit:
            source.format !== 'gguf'
              ? device === null && onProcessor.includes(source.id)
                ? FITS
                : deviceFit(needs, device, deviceMemory)
              : gguf
                ? ggufFit(gguf, contextWindow ?? ggufWindow(gguf), this.#options, parallel)
                : FITS,
          state,
        };
      }),
    );
  }

  /**
   * Returns the requirements of a model. The catalogue states them for its models. For other packages, the memory is at
   * least that of the weights, which is known after the package's list of files has been read.
   */
  async #needs({ source, needs }: CatalogueModel): Promise<DeviceNeeds> {
    if (source.format === 'gguf' || needs.memoryBytes !== null || isBuiltIn(source.id)) return needs;
    const { files } = await knownFiles(source, this.#options.environment.caches);
    const weights = files.filter(({ kind }) => kind === 'data').reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);
    return weights === 0 ? needs : { ...needs, memoryBytes: weights };
  }

  #downloadSize(
    { source: { id, gguf }, origin }: CatalogueModel,
    state: ModelState,
  ): Pick<ModelListing, 'downloadBytes' | 'downloadIsEstimated'> {
    const read = downloadBytes(state) ?? this.#sizes.get(id) ?? gguf?.bytes;
    if (read) return { downloadBytes: read, downloadIsEstimated: false };
    const shipped = origin === 'catalogue' ? catalogueSize(id) : null;
    return { downloadBytes: shipped?.bytes ?? null, downloadIsEstimated: shipped?.isEstimated ?? false };
  }

  /**
   * Asks the server for the size of a download, in bytes.
   * @throws ApiError `model_not_found` for an unknown id; DownloadError if the lists of files cannot be read.
   */
  async size(id: string, site: string): Promise<number> {
    const size = await packageSize((await this.#known.find(id, site)).source, this.#fetchFor(site));
    this.#sizes.set(id, size);
    return size;
  }

  /**
   * Reads the header of a GGUF model that the user chose. To get the model, call {@link download}.
   * @param from An address as typed, or the model's files.
   * @throws ApiError `invalid_value` with a sentence for the user; DownloadError if a server does not send the header.
   */
  async inspectGguf(from: string | readonly File[], site: string): Promise<GgufOffer> {
    const { chosenFiles = new ChosenFiles(), siteModels } = this.#options;
    const mirror = siteModels(site).catalogueBase;
    const source = await inspectGguf(from, { fetch: this.#fetchFor(site), chosenFiles, site, mirror });
    const listed = await this.#listed(site);
    const known = (await this.#known.list(site)).map((model) => [model.source.id, model.source] as const);
    // Another tab may have been offered another file of this name, and may get it later.
    const taken = new Map([...this.#offered, ...known]);
    const same = [...taken.values()].find((other) => haveSameFiles(source, other));
    const id = same?.id ?? freeId(source.id, taken);
    const { origin = 'custom', state } = listed.find((model) => model.id === id) ?? {};
    // An unfinished download may be of an earlier version of the file, with another size or hash.
    const isOutdated = origin === 'custom' && state?.kind !== 'present';
    this.#offered.set(id, same && !isOutdated ? same : { ...source, id });
    const facts = source.gguf!;
    const contextWindow = source.contextWindow!;
    const memoryBytes = ggufMemory(facts, contextWindow);
    const fit = ggufFit(facts, contextWindow, this.#options);
    return { id, facts, contextWindow, memoryBytes, fit, state: state?.kind ?? 'absent' };
  }

  /**
   * Starts, resumes or repairs a download.
   * @throws ApiError `model_not_found` for an unknown id, `invalid_value` for another host's model on a strict site.
   */
  async download(id: string, site: string): Promise<void> {
    await this.#turns.take(async (step) => {
      const offered = this.#offered.get(id);
      if (offered)
        await this.#known.requireFree(offered, site).catch((thrown: unknown) => {
          // From now on the id means the model that has it.
          this.#offered.delete(id);
          throw thrown;
        });
      const { source, origin } = offered ? unlistedModel(offered, 'custom') : await this.#known.find(id, site);
      if (this.#options.siteModels(site).isStrict)
        for (const address of [source.modelUrl, source.libraryUrl, source.mmproj])
          if (address) requireOwnOrigin(address, site, 'id');
      step();
      await this.#options.downloads.start(source, origin === 'built-in');
      this.#offered.delete(id);
    });
  }

  /**
   * Starts the download of a model that is not in the catalogue.
   * @throws ApiError `invalid_value` for an invalid field, a taken id or a strict site, `model_load_failed` for an address without a
   * package; `param` names the field. After an error nothing is stored.
   */
  async addCustom(model: CustomModel, site: string): Promise<void> {
    const source = customSource(model);
    await this.#known.requireFree(source, site, true);
    if (this.#options.siteModels(site).isStrict) {
      requireOwnOrigin(source.modelUrl, site, 'modelUrl');
      requireOwnOrigin(source.libraryUrl, site, 'libraryUrl');
    }
    await requirePackage(source, this.#options.environment.fetch);
    await this.#turns.take(async (step) => {
      // Another tab may have given its model the same name during the requests.
      await this.#known.requireFree(source, site, true);
      step();
      await this.#options.downloads.start(source);
    });
  }

  async pause(id: string): Promise<void> {
    await this.#options.downloads.pause(id);
  }

  /** Ends a download that repairs a model, which stays as it is. @returns false for any other, which goes on. */
  async cancelRepair(id: string): Promise<boolean> {
    return this.#deletions.cancelRepair(id);
  }

  /**
   * Deletes a model or an unfinished download, also one that was asked for and has not begun.
   * @throws ApiError `model_not_found` for an unknown id, `storage_unavailable` if the storage hangs.
   */
  async delete(id: string, site: string): Promise<void> {
    await this.#deletions.delete(id, site);
  }

  /**
   * Deletes the files of models whose deletion has not ended, because the browser or the last tab was closed, those that a
   * download has replaced, and those that the site has moved. No list names them, so that nobody else could free their bytes.
   */
  async finishDeletions(site: string): Promise<void> {
    await this.#deletions.finish(site);
  }

  /**
   * Sets the context window of a model that the user has downloaded. The next request loads the model with it.
   * @param tokens Limited by {@link ModelListing.windowLimits}.
   * @throws ApiError `model_not_found` for an unknown id, `invalid_value` for a window that is fixed or out of bounds.
   */
  async setContextWindow(id: string, tokens: number, site: string): Promise<void> {
    await this.#set(id, site, async (entry) =>
      checkedWindow(entry, tokens, await this.#options.device(), this.#options),
    );
  }

  /**
   * Sets how many requests a GGUF model that the user has downloaded answers at once. The next request loads the model so.
   * @param requests Limited by {@link ModelListing.settings}.
   * @throws ApiError `model_not_found` for an unknown id, `invalid_value` for a model that answers one request at a time
   * or a number out of bounds.
   */
  async setParallel(id: string, requests: number, site: string): Promise<void> {
    await this.#set(id, site, (entry) => checkedParallel(entry, requests, this.#options));
  }

  /**
   * Sets how long a model that the user has downloaded stays loaded after its last request.
   * @param seconds Negative: it stays loaded.
   * @throws ApiError `model_not_found` for an unknown id, `invalid_value` for a model of the site, or no number.
   */
  async setKeepAlive(id: string, seconds: number, site: string): Promise<void> {
    await this.#set(id, site, () => checkedKeepAlive(seconds));
  }

  /**
   * Settles when the settings that the user has changed are stored or refused, or that takes too long. A question waits
   * for it, so that it is answered with what the user has set before.
   */
  async settled(): Promise<void> {
    await this.#setting;
  }

  async #set(id: string, site: string, check: Check): Promise<void> {
    const storing = this.#store(id, site, check);
    this.#setting = withTimeout(SETTING_TIME, Promise.allSettled([this.#setting, storing]), null);
    await storing;
  }

  async #store(id: string, site: string, check: Check): Promise<void> {
    await this.#known.find(id, site);
    const { records, announce } = this.#options;
    const entry = (await records.models()).find((model) => model.id === id);
    if (entry === undefined)
      throw new ApiError('invalid_value', `${id} has no settings: it was not downloaded by the user.`, { param: 'id' });
    await records.putSettings(id, await check(entry));
    announce({ type: 'changed' });
  }

  async storage(): Promise<StorageReport> {
    const { environment } = this.#options;
    const [bytes, { usage, quota }] = await Promise.all([modelBytes(environment.caches), environment.estimate()]);
    return { modelBytes: bytes, usedBytes: Math.max(usage, bytes), quotaBytes: quota };
  }

  #fetchFor(site: string): typeof fetch {
    const { fetch } = this.#options.environment;
    return this.#options.siteModels(site).isStrict ? strictFetch(fetch, site) : fetch;
  }

  async #state(
    { source, origin }: CatalogueModel,
    progress: DownloadProgress | undefined,
    installed: ReadonlyMap<string, ModelEntry>,
  ): Promise<ModelState> {
    if (progress !== undefined) return { kind: 'download', progress };
    if (origin !== 'built-in' && !installed.has(source.id)) return { kind: 'absent' };
    const present = await inspectModel(source, this.#options.environment.caches);
    // If files of a site's own model are missing, it counts as not downloaded: the site can send them at any time.
    if (origin === 'built-in' && present.missing.length > 0) return { kind: 'absent' };
    return { kind: 'present', ...present };
  }
}

/** Returns the size of a download if the package's list of files has been read, otherwise undefined. */
function downloadBytes(state: ModelState): number | undefined {
  switch (state.kind) {
    case 'absent':
      return undefined;
    case 'download':
      return state.progress.totalBytes ?? undefined;
    case 'present':
      return state.missing.length === 0 ? state.bytes : undefined;
  }
}
