import type { EnginePort } from '../../shared/messaging/engine-connection.ts';
import type { ConnectEngineReply, FindEngineMessage } from '../../shared/messaging/messages.ts';
import { withTimeout } from '../../shared/timeout.ts';

/** Milliseconds for the service worker to reply. */
const REPLY_TIMEOUT = 2000;

/**
 * Gets a port to the engine of another tab through the service worker, because only a service worker can pass a port
 * from one tab to another.
 * @returns null if no tab reports an engine.
 */
export async function findEngineInOtherTab({ active }: ServiceWorkerRegistration): Promise<EnginePort | null> {
  if (!active) return null;
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise<EnginePort | null>((resolve) => {
    port1.addEventListener('message', ({ data, ports }: MessageEvent<ConnectEngineReply>) =>
      resolve(data.type === 'engine-port' && ports[0] ? { port: ports[0], lockName: data.lockName } : null),
    );
    port1.start();
  });
  active.postMessage({ type: 'tabserve/find-engine' } satisfies FindEngineMessage, [port2]);
  const port = await withTimeout(REPLY_TIMEOUT, answer, null);
  port1.close();
  return port;
}
