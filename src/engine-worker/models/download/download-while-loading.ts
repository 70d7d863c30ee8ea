import type { ModelEntry } from '../../../shared/models/model-entry.ts';
import type { PackageFile } from '../package/package-file.ts';
import { BROWSER_ENVIRONMENT } from './download-environment.ts';
import { downloadModel } from './download-model.ts';
import { OVERFLOW_BYTES } from './overflow-caches.ts';
import { loadFailure } from './load-failure.ts';
import { refreshPackage } from './refresh-package.ts';
import type { TransferReport } from './transfer-progress.ts';

/** Maximum delay between download attempts, in milliseconds. It is short because a user waits for the model. */
const MAX_RETRY_DELAY = 500;

/**
 * Downloads the missing files of a model into WebLLM's caches while the model is being loaded, and verifies them.
 * @param manifest Name of the package's manifest file; null if it has none.
 * @throws ApiError `model_load_failed` if a file cannot be fetched or stored; the signal's reason if it aborts.
 */
export async function downloadWhileLoading(
  { id, modelUrl, libraryUrl, contextWindow, images }: ModelEntry,
  manifest: string | null,
  report: (transfer: TransferReport) => void,
  signal: AbortSignal,
): Promise<readonly PackageFile[]> {
  const source = { id, modelUrl, libraryUrl, manifest, contextWindow, images };
  const environment = {
    ...BROWSER_ENVIRONMENT,
    overflowBytes: OVERFLOW_BYTES,
    wait: (milliseconds: number, signal: AbortSignal) =>
      BROWSER_ENVIRONMENT.wait(Math.min(milliseconds, MAX_RETRY_DELAY), signal),
  };
  try {
    await refreshPackage(source, globalThis.location.origin, signal);
    return (await downloadModel(source, environment, (read) => report(read()), signal)).files;
  } catch (thrown) {
    signal.throwIfAborted();
    throw loadFailure(thrown, id);
  }
}
