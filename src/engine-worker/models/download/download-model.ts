import { cachedBytes, cachedFile } from './cached-file.ts';
import { isChosen } from './chosen-files.ts';
import type { DownloadEnvironment } from './download-environment.ts';
import { DownloadError, quotaAheadError, vanishedFileError } from './download-error.ts';
import { downloadFile, type DownloadFileOptions } from './download-file.ts';
import { withMutex } from './with-mutex.ts';
import { withStallTimeout } from './with-stall-timeout.ts';
import { readModelPackage, type ModelPackage } from './model-package.ts';
import type { PackageFile } from '../package/package-file.ts';
import { PartialFile } from './partial-file.ts';
import { TransferProgress, type TransferReport } from './transfer-progress.ts';
import type { ModelSource } from '../../../shared/models/model-management.ts';

/** Number of files that are fetched at the same time, because a server may limit the speed of each connection. */
const PARALLEL_FILES = 3;
/** Limit of consecutive attempts that receive no new byte: half a minute, and as much again for each that hears nothing. */
const MAX_ATTEMPTS = 6;
/**
 * The same if there is no connection to a server that has sent such a file before, and nobody waits for the end: half an
 * hour or so, as long as a train is in a tunnel. The server can be asked from here, so it is the network that is gone.
 */
const MAX_PATIENT_ATTEMPTS = 30;
/** Limit of attempts for a file that fails its check. */
const MAX_CHECKED_ATTEMPTS = 2;
const FIRST_RETRY_DELAY = 1000;
const MAX_RETRY_DELAY = 60_000;
/** Milliseconds between attempts without a network. Mostly the browser tells earlier that it is back. */
const OFFLINE_DELAY = 10_000;

/**
 * Downloads all missing files of a model. This starts a download, resumes it, or repairs a damaged model.
 *
 * @param report Called on each change, with a function that computes the current numbers.
 * @throws DownloadError if the download cannot continue; the signal's reason if it aborts.
 */
export async function downloadModel(
  source: ModelSource,
  environment: DownloadEnvironment,
  report: (read: () => TransferReport) => void,
  signal: AbortSignal,
): Promise<ModelPackage> {
  const { caches } = environment;
  // Of a split model only the sum of the sizes is known.
  const expected = source.gguf?.bytes ?? 0;
  const progress = new TransferProgress(environment.now, expected);
  const notify = () => report(() => progress.report());

  const obtain = async (file: PackageFile, signal: AbortSignal) => {
    const response = await fetchWithRetries(file, environment, progress, notify, signal);
    if (response === undefined) throw vanishedFileError(file);
    progress.done(file, await cachedBytes(file, response));
    notify();
    return response;
  };

  const modelPackage = await readModelPackage(source, async (file, parse) => {
    progress.plan([file], false);
    for (;;) {
      const kept = (await cachedFile(file, caches)) !== undefined;
      const text = await (await obtain(file, signal)).text();
      try {
        return parse(text);
      } catch (thrown) {
        // The file passed its checks, but its content is not a valid list. If it came from the cache, it is fetched
        // again.
        await (await caches.open(file.cache)).delete(file.url);
        if (!kept) throw thrown;
      }
    }
  });
  progress.plan(modelPackage.files, true);
  await requireRoom(modelPackage.files, expected, environment, progress);
  notify();
  await eachInParallel(modelPackage.files, signal, async (file, signal) => void (await obtain(file, signal)));
  return modelPackage;
}

/**
 * Fails before anything is fetched if the storage quota is too small. The browser may still run out of storage later.
 * @param expected Bytes of all files together, for missing files whose own sizes are not known; 0 if unknown.
 */
async function requireRoom(
  files: readonly PackageFile[],
  expected: number,
  environment: DownloadEnvironment,
  progress: TransferProgress,
): Promise<void> {
  const { caches } = environment;
  let needed = 0;
  let kept = 0;
  let isUnsure = false;
  for (const file of files) {
    const present = await cachedFile(file, caches);
    if (present !== undefined) {
      kept += await cachedBytes(file, present);
      continue;
    }
    const { bytes } = await PartialFile.open(caches, file);
    progress.found(file, bytes);
    kept += bytes;
    isUnsure ||= file.bytes === null;
    needed += (file.bytes ?? 0) - Math.min(bytes, file.bytes ?? 0);
  }
  if (isUnsure) needed = Math.max(needed, expected - kept);
  await requireFree(needed, environment);
}

async function requireFree(needed: number, { estimate, overflowBytes = 0 }: DownloadEnvironment): Promise<void> {
  const { usage, quota } = await estimate();
  if (needed > quota - usage + overflowBytes) throw quotaAheadError(needed, quota - usage);
}

/** Returns a file from the cache, into which it is fetched if necessary; undefined if it is deleted meanwhile. */
async function fetchWithRetries(
  file: PackageFile,
  environment: DownloadEnvironment,
  progress: TransferProgress,
  notify: () => void,
  signal: AbortSignal,
): Promise<Response | undefined> {
  const { caches, onChecked, isOnline } = environment;
  const fetch = withStallTimeout(environment.fetch);
  const options: DownloadFileOptions = {
    fetch,
    caches,
    signal,
    requireFree: (bytes) => requireFree(bytes, environment),
    ...(onChecked && { onChecked }),
    report({ received, total, resumable }) {
      progress.advance(file, received, total, resumable);
      notify();
    },
  };
  const bring = async () => {
    const present = await cachedFile(file, caches);
    if (present === undefined) await downloadFile(file, options);
    return present ?? cachedFile(file, caches);
  };
  let furthest = 0;
  let attempts = 0;
  let checks = 0;
  for (;;) {
    try {
      // Not held between the attempts: a load must not wait as long as a download waits for the network.
      return await withMutex(file.url, bring, signal);
    } catch (thrown) {
      signal.throwIfAborted();
      if (!(thrown instanceof DownloadError) || !thrown.transient) throw thrown;
      if (thrown.corrupt && ++checks >= MAX_CHECKED_ATTEMPTS) throw thrown;
      const received = progress.received(file);
      // A copy of a file needs no network. Browsers report in several ways that the file is gone.
      const isPatient = isOnline !== undefined && thrown.failure.cause === 'network' && !isChosen(file.url);
      if (isPatient && !isOnline()) attempts = 0;
      else attempts = thrown.corrupt || received > furthest ? 1 : attempts + 1;
      // What failed its check is deleted.
      furthest = thrown.corrupt ? 0 : Math.max(furthest, received);
      if (attempts >= (isPatient && progress.hasHeardFrom(file) ? MAX_PATIENT_ATTEMPTS : MAX_ATTEMPTS)) throw thrown;
      progress.retry(file, thrown.failure);
      notify();
      const delay = thrown.retryAfter ?? FIRST_RETRY_DELAY * 2 ** (attempts - 1);
      await environment.wait(attempts === 0 ? OFFLINE_DELAY : Math.min(delay, MAX_RETRY_DELAY), signal);
    }
  }
}

/**
 * Works on several items at the same time. The first failure aborts the work on the other items, and is thrown after
 * all of it has stopped.
 */
async function eachInParallel<Item>(
  items: readonly Item[],
  signal: AbortSignal,
  work: (item: Item, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const rest = items.values();
  const lanes = Array.from({ length: PARALLEL_FILES }, async () => {
    for (const item of rest) {
      either.throwIfAborted();
      await work(item, either);
    }
  });
  const failures: unknown[] = [];
  await Promise.all(
    lanes.map((lane) =>
      lane.catch((thrown: unknown) => {
        failures.push(thrown);
        failed.abort();
      }),
    ),
  );
  signal.throwIfAborted();
  if (failures.length > 0) throw failures[0];
}
