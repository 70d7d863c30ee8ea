import { sleep } from '../shared/timeout.ts';

/** Milliseconds before each further attempt. */
const PAUSES = [0, 200, 1000];

/**
 * Sends a request, and again if the browser has cut it off, as it does when it ends the service worker meanwhile.
 * @param send Sends it. It must change nothing at the endpoint that a second request would change again.
 * @throws DOMException `UnknownError` if no attempt was answered; the signal's reason if it aborts.
 */
export async function sendRequest(send: () => Promise<Response>, signal: AbortSignal | null): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await send();
    } catch (thrown) {
      // Only the network fails with a TypeError.
      if (signal?.aborted || !(thrown instanceof TypeError)) throw thrown;
      const pause = PAUSES[attempt];
      if (pause === undefined) throw new DOMException('The endpoint was not reached.', 'UnknownError');
      await sleep(pause, signal ?? undefined);
    }
  }
}
