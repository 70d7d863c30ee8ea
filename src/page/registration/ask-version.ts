import type { ServiceWorkerVersionMessage, ServiceWorkerVersionReply } from '../../shared/messaging/messages.ts';
import { withAbort, withTimeout } from '../../shared/timeout.ts';

/** Milliseconds for a service worker to reply. Long, because a running model may keep the machine busy. */
export const REPLY_TIMEOUT = 15_000;

/** {@link askVersion}, but each service worker's reply is cached; see `ServiceWorkerRegistrar`. */
export type AskVersion = (worker: ServiceWorker) => Promise<ServiceWorkerVersionReply | null>;

/** So often the question is sent: it is lost if the worker's process ends before it replies. */
const QUESTIONS = 4;

/**
 * Asks a service worker, which may still be installing, for its version and options.
 * @returns null if it is not Tabserve's or does not reply in time.
 * @throws the signal's reason if it aborts.
 */
export async function askVersion(
  worker: ServiceWorker,
  signal: AbortSignal,
): Promise<ServiceWorkerVersionReply | null> {
  const ended = new AbortController();
  const replies: Promise<ServiceWorkerVersionReply>[] = [];
  try {
    while (replies.length < QUESTIONS) {
      replies.push(ask(worker, ended.signal));
      const reply = await withTimeout(REPLY_TIMEOUT / QUESTIONS, withAbort(Promise.race(replies), signal), null);
      if (reply) return reply;
    }
    return null;
  } finally {
    ended.abort();
  }
}

/** Resolves with the reply to one question; never if it or the reply is lost. */
function ask(worker: ServiceWorker, ended: AbortSignal): Promise<ServiceWorkerVersionReply> {
  const { port1, port2 } = new MessageChannel();
  ended.addEventListener('abort', () => port1.close());
  worker.postMessage({ type: 'tabserve/version' } satisfies ServiceWorkerVersionMessage, [port2]);
  return new Promise((resolve) => {
    port1.addEventListener('message', ({ data }: MessageEvent<ServiceWorkerVersionReply>) => resolve(data));
    port1.start();
  });
}
