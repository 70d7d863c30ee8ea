import { CONNECTION_LOST } from '../../shared/engine/engine.ts';

/**
 * Tracks the response bodies that each client is still reading, so that they can end with an error when its page is frozen.
 *
 * If a page is frozen while it reads a body, Chromium loses what the service worker sends: the read stays pending for ever,
 * even after the page is resumed and the body has ended. Chromium does report a body that ends with an error. So a page
 * tells the service worker that it is being frozen, and the service worker makes its bodies end with an error.
 */
export class OpenBodies {
  /** Client id → one controller for each body. Aborting a controller makes its body end with an error. */
  readonly #controllers = new Map<string, Set<AbortController>>();

  /** Returns the same response, with a body that {@link breakOff} can make end with an error. */
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

  /** Makes every response body that the client is still reading end with an error. */
  breakOff(clientId: string): void {
    const ofClient = this.#controllers.get(clientId) ?? [];
    this.#controllers.delete(clientId);
    for (const broken of ofClient) broken.abort();
  }
}
