import { sleep } from '../shared/timeout.ts';

/** Milliseconds before each further attempt of a request that `tabserve.fetch` sends only once. */
export const PAUSES: readonly number[] = [0, 200, 1000];

/**
 * Sends a request, and again if the browser has cut it off, as it does when it ends the service worker meanwhile.
 * @param pauses Milliseconds before each further attempt; none if `send` makes several itself.
 * @throws DOMException `UnknownError` if no attempt was answered; the signal's reason if it aborts.
 */
export async function sendRequest(
  send: () => Promise<Response>,
  pauses: readonly number[],
  signal: AbortSignal | null,
): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await send();
    } catch (thrown) {
      // Only the network fails with a TypeError.
      if (signal?.aborted || !(thrown instanceof TypeError)) throw thrown;
      const pause = pauses[attempt];
      if (pause === undefined) throw new DOMException('The endpoint was not reached.', 'UnknownError');
      await sleep(pause, signal ?? undefined);
    }
  }
}
