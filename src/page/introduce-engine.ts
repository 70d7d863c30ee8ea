import { ApiError } from '../shared/api-error.ts';
import { PROTOCOL_VERSION, type ConnectEngineMessage, type ConnectEngineReply } from '../shared/messages.ts';

/**
 * Answers service workers that ask this window for the engine: only windows can pass ports to it.
 * @param findPort Waits for the engine. Gives null when another tab hosts it; throws ApiError when there is none.
 */
export function introduceEngine(findPort: () => Promise<MessagePort | null>, signal: AbortSignal): void {
  const { serviceWorker } = navigator;
  serviceWorker.addEventListener(
    'message',
    (event: MessageEvent<ConnectEngineMessage | null>) => {
      const [reply] = event.ports;
      if (event.data?.type === 'tabserve/connect-engine' && reply) void answer(reply, findPort);
    },
    { signal },
  );
  serviceWorker.startMessages();
}

async function answer(reply: MessagePort, findPort: () => Promise<MessagePort | null>): Promise<void> {
  try {
    const port = await findPort();
    const message: ConnectEngineReply = port
      ? { type: 'engine-port', version: PROTOCOL_VERSION }
      : { type: 'not-host' };
    reply.postMessage(message, port ? [port] : []);
  } catch (thrown) {
    const error = ApiError.from(thrown).toData();
    reply.postMessage({ type: 'engine-failure', error } satisfies ConnectEngineReply);
  }
}
