import { ApiError } from '../../shared/api-error.ts';
import { siteFaultStrings } from '../strings/site-fault-strings.ts';
import type { AskVersion } from './ask-version.ts';

/**
 * Refuses to register Tabserve's script if that would replace a service worker of the site that does not mount the
 * endpoint, because a scope has only one service worker. A worker whose script the site no longer serves may be replaced.
 * @param workers The other workers of the scope.
 * @throws ApiError `engine_unavailable`; the message says how to mount the endpoint.
 */
export async function refuseForeignWorker(workers: readonly ServiceWorker[], ask: AskVersion): Promise<void> {
  for (const worker of workers) {
    if (await isForeign(worker, ask))
      throw new ApiError('engine_unavailable', siteFaultStrings.ownWorker(worker.scriptURL));
  }
}

/** Whether the site serves a worker's script, and it does not mount the endpoint. */
export async function isForeign(worker: ServiceWorker, ask: AskVersion): Promise<boolean> {
  const code = await readScript(worker.scriptURL);
  if (code === null) return false;
  // A script that neither mounts the endpoint nor imports another one need not be asked, which takes long if it is not
  // Tabserve's.
  return !/tabserve|import/i.test(code) || (await ask(worker)) === null;
}

/** Returns the code of a script; null if the site no longer has it. Without a network the code is unknown. */
async function readScript(address: string): Promise<string | null> {
  try {
    const response = await fetch(address, { cache: 'no-store' });
    // Many servers answer an unknown path with a page.
    const isScript = /(java|ecma)script/i.test(response.headers.get('content-type') ?? '');
    return response.ok && isScript ? await response.text() : null;
  } catch {
    return 'import';
  }
}
