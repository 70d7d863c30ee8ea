import { ANSWER_LOCK, siteLocks } from '../../shared/locks/site-locks.ts';
import type { KeepAwakeMessage } from '../../shared/messaging/messages.ts';

/** Firefox gives an idle service worker 30 s. */
const INTERVAL = 10_000;

/**
 * Sends the service worker a message now and then while it gives an answer. Firefox counts only events, not
 * streams: it would end the worker in the middle of a long answer, and the client would take the part for
 * the whole.
 * @param signal Ends it.
 */
export function keepServiceWorkerAlive(signal: AbortSignal): void {
  const message: KeepAwakeMessage = { type: 'tabserve/keep-awake' };
  const timer = setInterval(async () => {
    const { held = [] } = await siteLocks().query();
    if (held.some(({ name }) => name === ANSWER_LOCK)) navigator.serviceWorker.controller?.postMessage(message);
  }, INTERVAL);
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
}
