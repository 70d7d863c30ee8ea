import { CONNECTION_LOST } from '../../shared/engine/engine.ts';

/**
 * Tracks the response bodies that each client is still reading, so that they can end with an error when its page is
 * frozen.
 *
 * If a page is frozen while it reads a body, Chromium loses the rest of the body: the read stays pending forever, even
 * after the page is resumed. But Chromium reports a body that ended with an error. So the page tells the service worker
 * that it is being frozen, and the service worker ends the page's bodies with an error.
 */
export class OpenBodies {
  /** For each client id, one controller per body. Aborting a controller ends its body with an error. */
  readonly #controllers = new Map<string, Set<AbortController>>();

  /** Returns the same response, with a body that {@link breakOff} can end with an error. */
  track(clientId: string, response: Response): Response {
    if (response.body === null) return response;
    const reader = response.body.getReader();
    const broken = new AbortController();
    const ofClient = this.#controllers.get(clientId) ?? new Set();
    this.#controllers.set(clientId, ofClient.add(broken));
    const forget = () => {
      ofClient.delete(broken);
      if (ofClient.size === 0) this.#controllers.delete(clientId);
    };
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        start(controller) {
          broken.signal.addEventListener('abort', () => {
            controller.error(new Error('The page was frozen.'));
            reader.cancel(CONNECTION_LOST).catch(() => {});
          });
        },
        async pull(controller) {
          const { done, value } = await reader.read().catch((thrown: unknown) => {
            forget();
            throw thrown;
          });
          if (broken.signal.aborted) return;
          if (!done) return controller.enqueue(value);
          forget();
          controller.close();
        },
        cancel(reason) {
          forget();
          return reader.cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
    return new Response(body, response);
  }

  /** Ends every response body that the client is still reading with an error. */
  breakOff(clientId: string): void {
    const ofClient = this.#controllers.get(clientId) ?? [];
    this.#controllers.delete(clientId);
    for (const broken of ofClient) broken.abort();
  }
}
