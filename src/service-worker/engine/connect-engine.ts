import { ApiError } from '../../shared/api-error.ts';
import type { EnginePort } from '../../shared/messaging/engine-connection.ts';
import { engineUnavailable } from '../../shared/engine/engine-errors.ts';
import {
  PROTOCOL_VERSION,
  type ConnectEngineMessage,
  type ConnectEngineReply,
} from '../../shared/messaging/messages.ts';
import { sleep } from '../../shared/timeout.ts';
import { trace } from '../../shared/trace/trace.ts';

/** What is used of a window; nothing else of a service worker's scope is needed here. */
interface AskableWindow {
  readonly id: string;
  readonly visibilityState: DocumentVisibilityState;
  postMessage(message: ConnectEngineMessage, transfer: Transferable[]): void;
}

declare const self: { readonly clients: { matchAll(options: { type: 'window' }): Promise<readonly AskableWindow[]> } };

/** Milliseconds that the likelier window has for its answer. */
const HEAD_START = 300;

/** Milliseconds after which no window is expected to answer any more; a page may still be starting. */
const ANSWER_TIME = 15_000;

/** Seconds after which a tab may well have been opened or reloaded. */
const RETRY_AFTER = 2;

/**
 * Gets a port to the engine from a window: only windows can make workers and introduce ports. The window
 * that asked comes first, then the visible ones, then the rest; a window that does not answer (frozen,
 * without Tabserve on it) does not hold up the others for long.
 *
 * @param clientId The service-worker client that caused this; it may be a worker or a frame.
 * @param requestId The request that needs it, for the trace.
 * @throws ApiError `engine_unavailable`, `gpu_unavailable` or what else the windows say.
 */
export function connectEngine(clientId?: string, requestId = ''): Promise<EnginePort> {
  return askWindows(clientId, HEAD_START, requestId);
}

/** Answers a window that does not host the engine with a port to the one that does. */
export async function passEnginePort(reply: MessagePort): Promise<void> {
  try {
    // One window at most has it, and those that look for it too, this one among them, do not answer.
    const { port, lockName } = await askWindows(undefined, 0);
    const found: ConnectEngineReply = { type: 'engine-port', version: PROTOCOL_VERSION, lockName };
    reply.postMessage(found, [port]);
  } catch (thrown) {
    reply.postMessage({ type: 'engine-failure', error: ApiError.from(thrown).toData() } satisfies ConnectEngineReply);
  }
}

/** @param headStart Milliseconds that a window has to itself before the next one is asked too. */
async function askWindows(clientId: string | undefined, headStart: number, requestId = ''): Promise<EnginePort> {
  const windows = [...(await self.clients.matchAll({ type: 'window' }))];
  const rank = ({ id, visibilityState }: AskableWindow) =>
    id === clientId ? 0 : visibilityState === 'visible' ? 1 : 2;
  windows.sort((a, b) => rank(a) - rank(b));
  if (windows.length === 0)
    throw engineUnavailable('No open tab of this site can run the model. Open the page and try again.', RETRY_AFTER);

  const answered = new AbortController();
  let refusal: ApiError | null = null;
  const ask = async (window: AskableWindow) => {
    trace(requestId, 'asks the window', window.id, 'for the engine');
    const outcome = await askWindow(window, answered.signal, requestId);
    trace(
      requestId,
      'hears from the window',
      window.id,
      outcome instanceof ApiError ? outcome.code : outcome ? 'port' : 'not the host',
    );
    if (outcome instanceof ApiError) refusal ??= outcome;
    else if (outcome) return outcome;
    throw new Error('This window has no engine.');
  };
  const attempts: Promise<EnginePort>[] = [];
  try {
    for (const window of windows) {
      const attempt = ask(window);
      attempts.push(attempt);
      const turn = Promise.race([Promise.any(attempts), attempt, sleep(headStart, answered.signal)]);
      const port = await turn.catch(() => undefined);
      if (port) return port;
    }
    return await Promise.any(attempts);
  } catch {
    throw (
      refusal ?? engineUnavailable('No open tab of this site answered. Reload the page and try again.', RETRY_AFTER)
    );
  } finally {
    answered.abort();
  }
}

/** A port, or why the window has none; null when it only says that another window has it. */
async function askWindow(
  window: AskableWindow,
  signal: AbortSignal,
  requestId: string,
): Promise<EnginePort | ApiError | null> {
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise<EnginePort | ApiError | null>((resolve) => {
    port1.addEventListener('message', ({ data, ports }: MessageEvent<ConnectEngineReply>) => {
      const [port] = ports;
      if (data.type === 'engine-failure') resolve(ApiError.fromData(data.error));
      else if (data.type === 'not-host' || !port) resolve(null);
      // Two windows may answer at once; the port of the later one leads nowhere and is let go.
      else if (signal.aborted) port.close();
      else if (data.version === PROTOCOL_VERSION) resolve({ port, lockName: data.lockName });
      else resolve(engineUnavailable('This tab was opened with another version of the site. Reload it.', RETRY_AFTER));
    });
  });
  port1.start();
  window.postMessage({ type: 'tabserve/connect-engine', version: PROTOCOL_VERSION, requestId }, [port2]);
  const tooLate = sleep(ANSWER_TIME, signal).then(() => {
    throw new Error('The window did not answer.');
  });
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    if (!signal.aborted) port1.close();
  }
}
