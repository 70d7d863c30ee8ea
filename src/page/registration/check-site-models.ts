import { ApiError } from '../../shared/api-error.ts';
import type { ModelEntry } from '../../shared/models/model-entry.ts';
import { listDownloadedModels } from '../../shared/storage/device-models.ts';
import { openSiteDatabase } from '../../shared/storage/site-database.ts';
import { withTimeout } from '../../shared/timeout.ts';
import { siteFaultStrings } from '../strings/site-fault-strings.ts';

/**
 * Milliseconds in which Cache Storage finds a stored file, and a server reports a missing one. If either is slow or does
 * not answer, that is no fault of the site.
 */
const ANSWER_TIME = 5000;

/**
 * Checks that the server has the files of the models that the site names, by one file of each. Models of other origins
 * are not checked; and if the browser has stored one of the models, none is, so that later visits ask the server nothing.
 * @returns a sentence for the site's developer if some are missing; null if none is.
 * @throws ApiError `engine_unavailable` if all are missing, and the person has downloaded no other model.
 */
export async function checkSiteModels(models: readonly ModelEntry[]): Promise<string | null> {
  if (await withTimeout(ANSWER_TIME, isAnyStored(models.map(firstFile)), true)) return null;
  const missing = await Promise.all(
    models.map(async (model) => {
      const address = firstFile(model);
      const status = await withTimeout(ANSWER_TIME, missingStatus(address), null);
      return status === null ? [] : [siteFaultStrings.modelMissing(model.id, address, status)];
    }),
  );
  const [sentence = null, ...others] = missing.flat();
  if (sentence === null) return null;
  if (others.length + 1 < models.length || (await hasDownloadedModel())) return sentence;
  throw new ApiError('engine_unavailable', sentence);
}

function firstFile({ format, modelUrl }: ModelEntry): string {
  return format === 'gguf' ? modelUrl : new URL('mlc-chat-config.json', modelUrl).href;
}

async function isAnyStored(addresses: readonly string[]): Promise<boolean> {
  const found = await Promise.all(addresses.map((address) => caches.match(address).catch(() => undefined)));
  return found.some((response) => response !== undefined);
}

/** Returns the server's status for a file that it does not have; null if it may have the file. */
async function missingStatus(address: string): Promise<number | null> {
  if (new URL(address).origin !== location.origin) return null;
  try {
    const { ok, status, headers } = await fetch(address, { method: 'HEAD', cache: 'no-store' });
    // Many servers answer an unknown path with a page.
    const isPage = ok && (headers.get('content-type') ?? '').includes('text/html');
    return status === 404 || status === 410 || isPage ? status : null;
  } catch {
    return null;
  }
}

async function hasDownloadedModel(): Promise<boolean> {
  const models = await openSiteDatabase()
    .then(listDownloadedModels)
    .catch(() => []);
  return models.length > 0;
}
