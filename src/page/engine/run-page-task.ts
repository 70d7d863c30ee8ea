import { errorMessage } from '../../shared/error-message.ts';
// Imported here, so that it is read when the page starts.
import './native-language-model.ts';
import type { PageTaskFailedMessage, PageTaskMessage } from '../../shared/messaging/messages.ts';

/**
 * Starts a task of the engine that only a page can run. Its script is loaded when needed, because few engines have such
 * tasks. If the script cannot be loaded, the page reports that to the engine, which would otherwise wait until its
 * timeout.
 * @param signal Ends the task.
 * @param holdsLock See {@link runWorkerForEngine}.
 */
export async function runPageTask(message: PageTaskMessage, signal: AbortSignal, holdsLock = false): Promise<void> {
  try {
    if (message.type === 'start-worker')
      (await import('./run-worker-for-engine.ts')).runWorkerForEngine(message, signal, holdsLock);
    else await (await import('./serve-browser-model.ts')).serveBrowserModel(message, signal);
  } catch (thrown) {
    message.port.postMessage({ type: 'failed', message: errorMessage(thrown) } satisfies PageTaskFailedMessage);
  }
}
