import { ApiError } from '../../shared/api-error.ts';
import { engineUnavailable } from '../../shared/engine/engine-errors.ts';
import type { EnginePort } from '../../shared/messaging/engine-connection.ts';
import {
  PROTOCOL_VERSION,
  type ConnectEngineMessage,
  type ConnectEngineReply,
} from '../../shared/messaging/messages.ts';
import { sleep } from '../../shared/timeout.ts';
import { trace } from '../../shared/trace/trace.ts';

/** The part of `WindowClient` that is used here. */
interface EngineWindow {
  readonly id: string;
  readonly visibilityState: DocumentVisibilityState;
  postMessage(message: ConnectEngineMessage, transfer: Transferable[]): void;
}

declare const self: { readonly clients: { matchAll(options: { type: 'window' }): Promise<readonly EngineWindow[]> } };

/** Milliseconds to wait for a window's reply before the next window is asked in addition. */
const NEXT_WINDOW_DELAY = 300;

/** Milliseconds between two polls for windows that were opened after the first ones were asked. */
const NEW_WINDOWS_INTERVAL = 1000;

/** Milliseconds to wait for a message of a window. Long, because its page may still be loading. */
const WINDOW_TIMEOUT = 15_000;

/** `Retry-After` in seconds: time in which the user can open or reload a tab. */
const RETRY_AFTER = 2;

/**
 * Opens a port to the engine through a window, because only windows can create workers. The requesting window is asked
 * first, then visible ones, then the rest. A window that does not reply (frozen, or without Tabserve) delays the next
 * one by 300 ms.
 *
 * @param clientId The service-worker client that sent the request; it may be a worker or a frame.
 * @param requestId For the trace.
 * @throws ApiError that a window reports, such as `gpu_unavailable`; `engine_unavailable` if no window replies.
 */
export function connectEngine(clientId?: string, requestId = ''): Promise<EnginePort> {
  return requestPort(clientId, NEXT_WINDOW_DELAY, requestId);
}

/**
 * Gets a port to the engine from a window that is connected to it, and passes the port on to another window.
 * @param asker Id of that other window, which has no port to give.
 */
export async function passEnginePort(reply: MessagePort, asker?: string): Promise<void> {
  try {
    // All windows are asked at the same time, because some may be stopped.
    const { port, lockName } = await requestPort(undefined, 0, '', asker);
    const found: ConnectEngineReply = { type: 'engine-port', version: PROTOCOL_VERSION, lockName };
    reply.postMessage(found, [port]);
  } catch (thrown) {
    reply.postMessage({ type: 'engine-failure', error: ApiError.from(thrown).toData() } satisfies ConnectEngineReply);
  }
}

/**
 * Asks one window after the other for a port to the engine, and returns the first port.
 * @param nextWindowDelay Milliseconds to wait for a window before the next one is asked too.
 * @param asker Id of a window that is not asked.
 */
async function requestPort(
  clientId: string | undefined,
  nextWindowDelay: number,
  requestId: string,
  asker?: string,
): Promise<EnginePort> {
  const asked = new Set([asker]);
  const rank = ({ id, visibilityState }: EngineWindow) => (id === clientId ? 0 : visibilityState === 'visible' ? 1 : 2);
  const newWindows = async () => {
    const windows = await self.clients.matchAll({ type: 'window' });
    return windows.filter(({ id }) => !asked.has(id)).toSorted((a, b) => rank(a) - rank(b));
  };
  let windows = await newWindows();
  if (windows.length === 0)
    throw engineUnavailable('No open tab of this site can run the model. Open the page and try again.', RETRY_AFTER);

  const answered = new AbortController();
  let refusal: ApiError | null = null;
  const ask = async (window: EngineWindow) => {
    trace(requestId, 'asks the window', window.id, 'for the engine');
    const outcome = await requestPortFrom(window, answered.signal, requestId);
    trace(
      requestId,
      'gets a reply from the window',
      window.id,
      outcome instanceof ApiError ? outcome.code : outcome ? 'port' : 'not the host',
    );
    if (outcome instanceof ApiError) refusal ??= outcome;
    else if (outcome) return outcome;
    throw new Error('This window has no engine.');
  };
  const attempts: Promise<EnginePort>[] = [];
  try {
    for (;;) {
      for (const window of windows) {
        asked.add(window.id);
        const attempt = ask(window);
        attempts.push(attempt);
        const turn = Promise.race([Promise.any(attempts), attempt, sleep(nextWindowDelay, answered.signal)]);
        const port = await turn.catch(() => undefined);
        if (port) return port;
      }
      // While a tab is reloaded, the browser may list its old window for a while, and the new one later.
      const port = await Promise.race([Promise.any(attempts), sleep(NEW_WINDOWS_INTERVAL, answered.signal)]);
      if (port) return port;
      windows = await newWindows();
    }
  } catch {
    throw (
      refusal ?? engineUnavailable('No open tab of this site answered. Reload the page and try again.', RETRY_AFTER)
    );
  } finally {
    answered.abort();
  }
}

/**
 * Asks one window for a port to the engine. Returns the port, the window's error, or null if the window has none
 * to give.
 * @throws Error if the window sends no message for {@link WINDOW_TIMEOUT}. While it waits for an engine it sends some,
 * and the page limits that time.
 */
async function requestPortFrom(
  window: EngineWindow,
  signal: AbortSignal,
  requestId: string,
): Promise<EnginePort | ApiError | null> {
  const { port1, port2 } = new MessageChannel();
  let messages = 0;
  const answer = new Promise<EnginePort | ApiError | null>((resolve) => {
    port1.addEventListener('message', ({ data, ports }: MessageEvent<ConnectEngineReply>) => {
      const [port] = ports;
      messages++;
      if (data.type === 'starting') return;
      if (data.type === 'engine-failure') resolve(ApiError.fromData(data.error));
      else if (data.type === 'not-host' || !port) resolve(null);
      // Another window replied first, so this port is not needed.
      else if (signal.aborted) port.close();
      else if (data.version === PROTOCOL_VERSION) resolve({ port, lockName: data.lockName });
      else resolve(engineUnavailable('This tab was opened with another version of the site. Reload it.', RETRY_AFTER));
    });
  });
  port1.start();
  window.postMessage({ type: 'tabserve/connect-engine', requestId }, [port2]);
  const tooLate = async () => {
    for (let known = -1; known < messages;) {
      known = messages;
      await sleep(WINDOW_TIMEOUT, signal);
    }
    throw new Error('The window did not answer.');
  };
  try {
    return await Promise.race([answer, tooLate()]);
  } finally {
    if (!signal.aborted) port1.close();
  }
}
