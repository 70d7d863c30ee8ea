import type { ServiceWorkerVersionMessage, ServiceWorkerVersionReply } from '../../shared/messaging/messages.ts';
import { withAbort, withTimeout } from '../../shared/timeout.ts';

/** Milliseconds for a service worker to reply. Long, because a running model may keep the machine busy. */
export const REPLY_TIMEOUT = 15_000;

/** {@link askVersion}, but each service worker's reply is cached; see `ServiceWorkerRegistrar`. */
export type AskVersion = (worker: ServiceWorker) => Promise<ServiceWorkerVersionReply | null>;

/**
 * Asks a service worker, which may still be installing, for its version and options.
 * @returns null if it is not Tabserve's or does not reply in time.
 * @throws the signal's reason if it aborts.
 */
export async function askVersion(
  worker: ServiceWorker,
  signal: AbortSignal,
): Promise<ServiceWorkerVersionReply | null> {
  const { port1, port2 } = new MessageChannel();
  const reply = new Promise<ServiceWorkerVersionReply>((resolve) => {
    port1.addEventListener('message', ({ data }: MessageEvent<ServiceWorkerVersionReply>) => resolve(data));
    port1.start();
  });
  worker.postMessage({ type: 'tabserve/version' } satisfies ServiceWorkerVersionMessage, [port2]);
  return withTimeout(REPLY_TIMEOUT, withAbort(reply, signal), null).finally(() => port1.close());
}
