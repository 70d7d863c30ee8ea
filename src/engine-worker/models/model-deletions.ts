import type { ModelEvent, ModelSource } from '../../shared/models/model-management.ts';
import type { SiteModels } from '../../shared/models/site-models.ts';
import type { DownloadEnvironment } from './download/download-environment.ts';
import type { Downloads } from './download/downloads.ts';
import { deleteModelFiles } from './download/installed-model.ts';
import { unknownModel, type KnownModels } from './known-models.ts';
import type { ModelRecords } from './model-records.ts';
import { haveSameFiles, sourceOf } from './source-of.ts';
import type { Step, Turns } from './turns.ts';

interface ModelDeletionsOptions {
  readonly environment: DownloadEnvironment;
  readonly downloads: Downloads;
  readonly records: ModelRecords;
  readonly siteModels: (site: string) => SiteModels;
  readonly announce: (event: ModelEvent) => void;
}

/** Deletes models of this device. `site` is the root address of a site, with a trailing slash. */
export class ModelDeletions {
  readonly #options: ModelDeletionsOptions;
  readonly #known: KnownModels;
  readonly #turns: Turns;
  readonly #isHere: (id: string, site: string) => Promise<boolean>;

  /**
   * @param turns In which deletions and the starts of downloads take turns.
   * @param isHere Whether a model, or an unfinished download of it, is on this device.
   */
  constructor(
    options: ModelDeletionsOptions,
    known: KnownModels,
    turns: Turns,
    isHere: (id: string, site: string) => Promise<boolean>,
  ) {
    this.#options = options;
    this.#known = known;
    this.#turns = turns;
    this.#isHere = isHere;
  }

  /** See `ManagedModels.delete`. */
  async delete(id: string, site: string): Promise<void> {
    // At once, while other deletions go on: a listed model must be usable.
    const forgetting = this.#sourcesOf(id, site).then((sources) => this.#forget(id, sources));
    forgetting.catch(() => {});
    await this.#turns.take(async (step) => {
      const known = await forgetting;
      step();
      // A download that was asked for before may have begun since. One that is asked for from now on waits.
      const sources = [...known, ...(await this.#forget(id))];
      const others = await this.#known.sources(id, site);
      for (const each of sources) await this.#deleteFiles(each, others, step);
    });
  }

  /** See `ManagedModels.cancelRepair`. */
  async cancelRepair(id: string): Promise<boolean> {
    const { downloads, records, announce } = this.#options;
    const model = (await records.models()).find((entry) => entry.id === id);
    if (!model || !(await downloads.all()).has(id)) return false;
    await downloads.pause(id);
    const download = (await records.downloads()).find((each) => each.id === id);
    // From where the catalogue has the model now, the model that stays has nothing. The next engine deletes that.
    if (download && !haveSameFiles(download.source, sourceOf(model)))
      await records.putDeletion(download.source).catch(() => {});
    await records.deleteDownload(id);
    announce({ type: 'changed' });
    return true;
  }

  /** See `ManagedModels.finishDeletions`. */
  async finish(site: string): Promise<void> {
    await this.#turns.take(async (step) => {
      const unnoted = await this.#noteMoved(site);
      for (const source of [...(await this.#options.records.deletions()), ...unnoted]) {
        step();
        // The files of a model that was downloaded again meanwhile stay.
        const deleted = (await this.#isHere(source.id, site)) ? null : source.id;
        await this.#deleteFiles(source, await this.#known.sources(deleted, site), step);
      }
    });
  }

  /** Where the files of a listed model come from, and have come from if it is, or was, the site's own. */
  async #sourcesOf(id: string, site: string): Promise<readonly ModelSource[]> {
    const left = (await this.#known.leftSources(site)).filter((each) => each.id === id);
    const listed = (await this.#known.list(site)).filter(({ source }) => source.id === id);
    if (listed.length + left.length === 0) throw unknownModel(id);
    return [...listed.map(({ source }) => source), ...left];
  }

  /**
   * Stores where the site's own models come from, which nothing else does. The files of earlier addresses are no longer needed
   * once the model is here from its present ones, unless another site of this origin uses them.
   * @returns those for which a full disk has no room to note that. Their deletion makes some.
   */
  async #noteMoved(site: string): Promise<readonly ModelSource[]> {
    const { records, siteModels } = this.#options;
    const now = siteModels(site).entries.map(sourceOf);
    const { [site]: before = [], ...others } = Object.fromEntries(await records.siteSources());
    const isNeeded = (source: ModelSource) =>
      Object.values(others).some((sources) => sources.some((each) => haveSameFiles(each, source)));
    const waiting: ModelSource[] = [];
    const unnoted: ModelSource[] = [];
    for (const source of before) {
      if (now.some((each) => each.id === source.id && haveSameFiles(each, source))) continue;
      if (isNeeded(source) || !(await this.#isHere(source.id, site))) waiting.push(source);
      else await records.putDeletion(source).catch(() => unnoted.push(source));
    }
    const after = [...now, ...waiting, ...unnoted];
    const hasChanged = JSON.stringify(after) !== JSON.stringify(before);
    if (hasChanged) await records.putSiteSources(site, after).catch(() => {});
    return unnoted;
  }

  /**
   * Ends the download of a model, and deletes its records, but no files.
   * @param listed Where its files come from, beside what its records say. Default: nowhere else.
   * @returns where its files have come from.
   */
  async #forget(id: string, listed: readonly ModelSource[] = []): Promise<readonly ModelSource[]> {
    const { downloads, records, announce } = this.#options;
    await downloads.pause(id);
    // The catalogue may have other addresses now than those that the files on this device came from.
    const stored = (await this.#known.storedSources()).filter((each) => each.id === id);
    const sources = [...listed, ...stored];
    // On a full disk there may be no room for the notes. The deletion must work without them.
    for (const each of sources) await records.putDeletion(each).catch(() => {});
    await records.deleteModel(id);
    announce({ type: 'changed' });
    return sources;
  }

  async #deleteFiles(source: ModelSource, others: readonly ModelSource[], step: Step): Promise<void> {
    const { records, environment, announce } = this.#options;
    await deleteModelFiles(source, others, environment.caches, step);
    await records.endDeletion(source);
    announce({ type: 'changed' });
  }
}
