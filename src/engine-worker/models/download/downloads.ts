import type { ModelEntry } from '../../../shared/models/model-entry.ts';
import type {
  DownloadProgress,
  ModelEvent,
  ModelSource,
  StoredDownload,
} from '../../../shared/models/model-management.ts';
import type { DownloadEnvironment } from './download-environment.ts';
import { DownloadError, otherVersionError, internalError, isQuotaExceeded, quotaError } from './download-error.ts';
import { downloadModel } from './download-model.ts';
import { modelEntry, type ModelPackage } from './model-package.ts';
import { haveSameFiles, sourceOf } from '../source-of.ts';
import { plainLibrary } from '../subgroup-library.ts';
import type { ModelRecords } from '../model-records.ts';
import type { TransferReport } from './transfer-progress.ts';

/** Minimum milliseconds between two progress reports to the pages. */
const REPORT_INTERVAL = 250;
/** Milliseconds between reports of a download that receives nothing. */
const STALL_INTERVAL = 1000;
/** Minimum milliseconds between two saves of the progress. It is saved in case the browser is closed. */
const SAVE_INTERVAL = 3000;

export interface DownloadsOptions {
  readonly environment: DownloadEnvironment;
  readonly records: ModelRecords;
  /** Sends an event to every page. */
  readonly announce: (event: ModelEvent) => void;
}

interface Running {
  readonly controller: AbortController;
  progress: DownloadProgress;
  ended: Promise<void>;
  /** Settles after the last save of the progress. The next save waits for it. */
  noted: Promise<void>;
}

export class Downloads {
  readonly #options: DownloadsOptions;
  readonly #running = new Map<string, Running>();

  constructor(options: DownloadsOptions) {
    this.#options = options;
  }

  /** Whether a download is running. */
  get areRunning(): boolean {
    return this.#running.size > 0;
  }

  /** Returns the unfinished downloads by model id. A stored download that is not running is paused or has failed. */
  async all(): Promise<ReadonlyMap<string, DownloadProgress>> {
    const stored = await this.#options.records.downloads();
    const standing = new Map(stored.map((download) => [download.id, stoppedDownload(download)]));
    for (const [id, { progress }] of this.#running) standing.set(id, progress);
    return standing;
  }

  /**
   * Starts or resumes a download in the background. Does nothing if it is running. One that is being paused, or has just
   * failed, ends first. Resolves when the download is stored, so that the model is listed.
   * @param ofSite Whether the site provides the model. If so, the finished download stores no entry, since the site
   * lists it. Default: false.
   */
  async start(source: ModelSource, ofSite = false): Promise<void> {
    const { id } = source;
    const { records } = this.#options;
    const ending = this.#running.get(id);
    if (ending?.controller.signal.aborted || ending?.progress.phase === 'failed') await ending.ended;
    if (this.#running.has(id)) return;
    const stored = (await records.downloads()).find((download) => download.id === id);
    // The catalogue has other addresses now, which are stored in place of the old ones. The next engine deletes the old files.
    if (stored && !haveSameFiles(stored.source, source)) await records.putDeletion(stored.source).catch(() => {});
    // Another call may have started the download meanwhile.
    if (this.#running.has(id)) return;
    const before = stored && stoppedDownload(stored);
    const controller = new AbortController();
    const idle = Promise.resolve();
    const running: Running = { controller, progress: startedDownload(id, before), ended: idle, noted: idle };
    this.#running.set(id, running);
    running.ended = this.#run(source, ofSite, controller.signal).finally(() => {
      this.#running.delete(id);
      this.#announce({ type: 'changed' });
    });
    await running.noted;
    this.#announce({ type: 'changed' });
  }

  /**
   * Stops a download but keeps its data. Resolves when it has stopped.
   * @throws ApiError `model_load_failed` if the engine of another version of the site downloads the model.
   */
  async pause(id: string): Promise<void> {
    const running = this.#running.get(id);
    if (running === undefined) {
      const isFree = await this.#options.environment.exclusively(lockName(id), async () => true);
      if (isFree === null) throw otherVersionError().toApiError();
      // Who asks may still show a download of an engine that has ended.
      return this.#announce({ type: 'changed' });
    }
    running.controller.abort();
    await running.ended;
  }

  async #run(source: ModelSource, ofSite: boolean, signal: AbortSignal): Promise<void> {
    try {
      await this.#note(source);
      const outcome = await this.#receive(source, signal);
      const entry = modelEntry(source, outcome, Math.floor(Date.now() / 1000));
      await this.#finish(entry, ofSite);
    } catch (thrown) {
      const plain = plainLibrary(source.libraryUrl);
      if (signal.aborted) await this.#settle(source, { phase: 'paused', failure: null });
      // If the library's variant with subgroups does not exist, as in some mirrors, downloads the one without
      // subgroups.
      else if (plain !== null && isMissing(source.libraryUrl, thrown))
        await this.#run({ ...source, libraryUrl: plain }, ofSite, signal);
      else await this.#fail(source, thrown);
    }
  }

  /**
   * Downloads the files, and reports the progress until then. Nothing may be reported later, because saving it would
   * overwrite how the download ended.
   */
  async #receive(source: ModelSource, signal: AbortSignal): Promise<ModelPackage> {
    const { environment } = this.#options;
    const reporter = this.#reporter(source);
    let latest: (() => TransferReport) | undefined;
    let hasEnded = false;
    const report = (read: () => TransferReport) => {
      if (hasEnded) return;
      latest = read;
      reporter(read);
    };
    const still = setInterval(() => latest && reporter(latest), STALL_INTERVAL);
    try {
      const outcome = await environment.exclusively(lockName(source.id), () =>
        downloadModel(source, environment, report, signal),
      );
      if (outcome === null) throw otherVersionError();
      return outcome;
    } finally {
      hasEnded = true;
      clearInterval(still);
    }
  }

  async #finish(entry: ModelEntry, ofSite: boolean): Promise<void> {
    const { records } = this.#options;
    // Waits for a pending save, which would create the record again.
    await this.#running.get(entry.id)?.noted;
    if (ofSite) return records.deleteDownload(entry.id);
    const before = (await records.models()).find(({ id }) => id === entry.id);
    // The same for a model that was repaired.
    if (before && !haveSameFiles(sourceOf(before), sourceOf(entry)))
      await records.putDeletion(sourceOf(before)).catch(() => {});
    await records.finishDownload(before ? { ...entry, created: before.created } : entry);
  }

  async #fail(source: ModelSource, thrown: unknown): Promise<void> {
    // The files have arrived, and the database has no room for the entry.
    const isFull = isQuotaExceeded(thrown);
    const unforeseen = () => (isFull ? quotaError({ name: source.id }, thrown) : internalError(thrown));
    const error = thrown instanceof DownloadError ? thrown : unforeseen();
    if (error.failure.cause === 'internal') console.error(error.message, thrown);
    await this.#settle(source, { phase: 'failed', failure: error.failure });
  }

  async #settle(source: ModelSource, end: Pick<DownloadProgress, 'phase' | 'failure'>): Promise<void> {
    this.#move(source.id, { ...end, bytesPerSecond: 0, secondsLeft: null });
    await this.#note(source);
  }

  #reporter(source: ModelSource): (read: () => TransferReport) => void {
    const { now } = this.#options.environment;
    let reported = Number.NEGATIVE_INFINITY;
    let noted = now();
    return (read) => {
      const time = now();
      if (time - reported < REPORT_INTERVAL) return;
      reported = time;
      const report = read();
      this.#move(source.id, { ...report, phase: report.totalBytes === null ? 'preparing' : 'downloading' });
      if (time - noted < SAVE_INTERVAL) return;
      noted = time;
      void this.#note(source);
    };
  }

  #move(id: string, change: Partial<DownloadProgress>): void {
    const running = this.#running.get(id);
    if (running === undefined) return;
    running.progress = { ...running.progress, ...change };
    this.#announce({ type: 'progress', progress: running.progress });
  }

  #note(source: ModelSource): Promise<void> {
    const running = this.#running.get(source.id);
    if (running === undefined) return Promise.resolve();
    const { id, totalBytes, receivedBytes, phase } = running.progress;
    const failure = phase === 'failed' ? running.progress.failure : null;
    running.noted = running.noted
      .then(() => this.#options.records.putDownload({ id, source, totalBytes, receivedBytes, failure }))
      // The download works without the record, so a full disk must not stop it here.
      .catch((thrown: unknown) => console.warn(`The progress of ${id} could not be saved.`, thrown));
    return running.noted;
  }

  #announce(event: ModelEvent): void {
    this.#options.announce(event);
  }
}

/** Whether a download failed because the server does not have this file. */
function isMissing(url: string, thrown: unknown): boolean {
  if (!(thrown instanceof DownloadError) || thrown.transient) return false;
  const { file, cause } = thrown.failure;
  return file === url.split('/').at(-1) && (cause === 'http' || cause === 'content');
}

function startedDownload(id: string, before: DownloadProgress | undefined): DownloadProgress {
  return {
    id,
    phase: 'preparing',
    files: [],
    receivedBytes: before?.receivedBytes ?? 0,
    totalBytes: before?.totalBytes ?? null,
    bytesPerSecond: 0,
    secondsLeft: null,
    failure: null,
  };
}

function stoppedDownload({ id, totalBytes, receivedBytes, failure }: StoredDownload): DownloadProgress {
  const phase = failure === null ? 'paused' : 'failed';
  return { id, phase, files: [], receivedBytes, totalBytes, bytesPerSecond: 0, secondsLeft: null, failure };
}

/** Name of the lock that is held while a model is downloaded. While two versions of a site are open, each has an engine. */
function lockName(id: string): string {
  return `tabserve/download/${id}`;
}
