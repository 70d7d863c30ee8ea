import type { IncomingMessage } from 'node:http';
import { ApiError } from '../../shared/api-error.ts';

/**
 * Most bytes of a body that are passed on: one more than the 20 MiB that the endpoint accepts, so that it refuses a
 * larger body.
 */
const MAX_BODY_BYTES = 20 * 1024 * 1024 + 1;

/**
 * Most bytes of all bodies together: room for three of the largest. Each takes several times its size on the way into
 * the page: as text, and as JSON.
 */
const MAX_HELD_BYTES = 64 * 1024 * 1024;

/** The request bodies that the bridge holds in memory, which are bounded together. */
export class RequestBodies {
  #heldBytes = 0;

  /**
   * Reads a body, cut where the endpoint refuses it anyway, and calls `use` with it. Its bytes count as held until
   * `use` settles.
   * @throws ApiError `rate_limit_exceeded` if all bodies together exceed the limit. The rest of this one is then read
   * and dropped,
   *   because many clients miss a response that arrives while they still send.
   */
  async use<T>(request: IncomingMessage, use: (body: Uint8Array) => Promise<T>): Promise<T> {
    let chunks: Uint8Array[] = [];
    let size = 0;
    let held = 0;
    let isRefused = false;
    const release = () => {
      this.#heldBytes -= held;
      held = 0;
    };
    try {
      for await (const chunk of request as AsyncIterable<Uint8Array>) {
        size += chunk.length;
        if (isRefused || size - chunk.length >= MAX_BODY_BYTES) continue;
        isRefused = this.#heldBytes + chunk.length > MAX_HELD_BYTES;
        if (isRefused) {
          chunks = [];
          release();
          continue;
        }
        chunks.push(chunk);
        held += chunk.length;
        this.#heldBytes += chunk.length;
      }
      if (isRefused) throw tooManyBytes();
      const body = Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES);
      chunks = [];
      return await use(body);
    } finally {
      release();
    }
  }
}

function tooManyBytes(): ApiError {
  const sentence =
    'The bridge already holds as many bytes of other requests as it may. Send this request again when one of them is answered.';
  return new ApiError('rate_limit_exceeded', sentence, { retryAfter: 1 });
}
