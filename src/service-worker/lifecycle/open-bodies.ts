import { CONNECTION_LOST } from '../../shared/engine/engine.ts';

/**
 * The response bodies on their way to each client.
 *
 * Chromium loses what a service worker sends to a page that is frozen while it reads a body: the read stays pending for
 * ever, also after the page is resumed and the body has ended. It does report a body that ends with an error. So a page
 * says that it is being frozen, and its bodies end with one.
 */
export class OpenBodies {
  /** Aborting one ends its body with an error. */
  readonly #controllers = new Map<string, Set<AbortController>>();

  /** Returns the same response, with a body that {@link breakOff} can end. */
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
          const { done, value } = await reader.read();
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

  /** Ends the client's bodies that have not ended with an error. */
  breakOff(clientId: string): void {
    const ofClient = this.#controllers.get(clientId) ?? [];
    this.#controllers.delete(clientId);
    for (const broken of ofClient) broken.abort();
  }
}
