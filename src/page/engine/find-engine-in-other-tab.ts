import type { EnginePort } from '../../shared/messaging/engine-connection.ts';
import { PROTOCOL_VERSION, type ConnectEngineReply, type FindEngineMessage } from '../../shared/messaging/messages.ts';
import { withTimeout } from '../../shared/timeout.ts';

/** Milliseconds that the service worker may take to say whether another tab hosts the engine. */
const ANSWER_TIME = 2000;

/**
 * Asks for a port to the engine that another tab hosts. Only the service worker can pass ports between tabs.
 * @returns null when no tab says that it hosts one.
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
  const message: FindEngineMessage = { type: 'tabserve/find-engine', version: PROTOCOL_VERSION };
  active.postMessage(message, [port2]);
  const port = await withTimeout(ANSWER_TIME, answer, null);
  port1.close();
  return port;
}
