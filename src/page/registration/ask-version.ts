import type { ServiceWorkerVersionMessage, ServiceWorkerVersionReply } from '../../shared/messaging/messages.ts';
import { withAbort, withTimeout } from '../../shared/timeout.ts';

/** Milliseconds that a service worker may take to answer; the machine may be busy with a model. */
export const ANSWER_TIME = 15_000;

/** {@link askVersion} as those use it who leave it to another one to remember what was said. */
export type AskVersion = (worker: ServiceWorker) => Promise<ServiceWorkerVersionReply | null>;

/**
 * What a service worker says of itself and of the options that it was installed with. One that is only being installed
 * answers, too.
 * @returns null for one that is not Tabserve's, or does not answer in time.
 * @throws the signal's reason.
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
  return withTimeout(ANSWER_TIME, withAbort(reply, signal), null).finally(() => port1.close());
}
