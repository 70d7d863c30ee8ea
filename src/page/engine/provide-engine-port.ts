import { ApiError } from '../../shared/api-error.ts';
import type { EnginePort } from '../../shared/messaging/engine-connection.ts';
import {
  PROTOCOL_VERSION,
  type ConnectEngineMessage,
  type ConnectEngineReply,
} from '../../shared/messaging/messages.ts';
import { trace } from '../../shared/trace/trace.ts';

/**
 * Milliseconds between two messages that tell the service worker that this page still waits for an engine. The service
 * worker gives a window up that is silent for 15 s, but a page may have to wait longer, for a lock of a frozen tab.
 */
const STARTING_INTERVAL = 10_000;

/**
 * Replies with a port to the engine when the service worker asks this window for one. Only windows can create such ports.
 * @param findPort Waits for the engine; resolves to null if this page has no port to give, rejects with an
 * ApiError if there is none.
 * @param signal Stops replying.
 */
export function provideEnginePort(findPort: () => Promise<EnginePort | null>, signal: AbortSignal): void {
  const { serviceWorker } = navigator;
  serviceWorker.addEventListener(
    'message',
    (event: MessageEvent<ConnectEngineMessage | null>) => {
      const [reply] = event.ports;
      if (event.data?.type === 'tabserve/connect-engine' && reply) void answer(event.data.requestId, reply, findPort);
    },
    { signal },
  );
  serviceWorker.startMessages();
}

async function answer(
  requestId: string,
  reply: MessagePort,
  findPort: () => Promise<EnginePort | null>,
): Promise<void> {
  trace(requestId, 'gets connect-engine');
  const starting: ConnectEngineReply = { type: 'starting' };
  const timer = setInterval(() => reply.postMessage(starting), STARTING_INTERVAL);
  try {
    const found = await findPort();
    const message: ConnectEngineReply = found
      ? { type: 'engine-port', version: PROTOCOL_VERSION, lockName: found.lockName }
      : { type: 'not-host' };
    trace(requestId, 'answers', message.type);
    reply.postMessage(message, found ? [found.port] : []);
  } catch (thrown) {
    const error = ApiError.from(thrown).toData();
    trace(requestId, 'answers', error.code);
    reply.postMessage({ type: 'engine-failure', error } satisfies ConnectEngineReply);
  } finally {
    clearInterval(timer);
  }
}
