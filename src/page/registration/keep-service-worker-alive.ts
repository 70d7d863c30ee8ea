import { ANSWER_LOCK, siteLocks } from '../../shared/locks/site-locks.ts';
import type { KeepAwakeMessage } from '../../shared/messaging/messages.ts';

/** Milliseconds between messages. Firefox stops a service worker after 30 s without an event. */
const INTERVAL = 10_000;

/**
 * Sends messages to the service worker while it sends a response. Firefox counts only events as activity: without them
 * it would stop the worker in the middle of a long stream, and the client would mistake the truncated response for a
 * complete one.
 * @param signal Stops sending.
 */
export function keepServiceWorkerAlive(signal: AbortSignal): void {
  const message: KeepAwakeMessage = { type: 'tabserve/keep-awake' };
  const timer = setInterval(async () => {
    // Fails in a page that the browser keeps for going back, for instance.
    const { held = [] } = await siteLocks()
      .query()
      .catch(() => ({ held: [] }));
    if (held.some(({ name }) => name === ANSWER_LOCK)) navigator.serviceWorker.controller?.postMessage(message);
  }, INTERVAL);
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
}
