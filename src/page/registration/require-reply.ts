import type { ServiceWorkerVersionReply } from '../../shared/messaging/messages.ts';
import type { AskVersion } from './ask-version.ts';

/** Loads what few pages need. */
export const loadFailures = () => import('./control-failures.ts');

/**
 * Asks a service worker for its version and options.
 * @throws ApiError `engine_unavailable` if it does not reply in time.
 */
export async function requireReply(worker: ServiceWorker, ask: AskVersion): Promise<ServiceWorkerVersionReply> {
  const reply = await ask(worker);
  if (reply === null) throw (await loadFailures()).silent(worker.scriptURL);
  return reply;
}
