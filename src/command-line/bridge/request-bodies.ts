import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import { ApiError } from '../../shared/api-error.ts';
import { decodeBody, undecodable } from './decode-body.ts';

/**
 * Limit of the bytes of a body that are forwarded: one more than the 20 MiB that the endpoint accepts, so that the
 * endpoint refuses a larger body.
 */
export const MAX_BODY_BYTES = 20 * 1024 * 1024 + 1;

/**
 * Limit of the bytes of all bodies together: enough for three of the largest. Each body takes several times its size on
 * the way into the page, as base64 and as JSON.
 */
const MAX_HELD_BYTES = 64 * 1024 * 1024;

/** The request bodies that the bridge holds in memory. Their total size is limited. */
export class RequestBodies {
  #heldBytes = 0;

  /**
   * Reads and decodes a body, and calls `use` with it. Bytes beyond {@link MAX_BODY_BYTES} are dropped, because the
   * endpoint refuses such a body anyway. The other bytes count towards the limit of all bodies until `use` settles.
   * @throws ApiError `rate_limit_exceeded` if all bodies together exceed the limit; any error of {@link decodeBody}.
   */
  async use<T>(request: IncomingMessage, use: (body: Uint8Array) => Promise<T>): Promise<T> {
    const chunks: Uint8Array[] = [];
    const release = () => {
      for (const { length } of chunks.splice(0)) this.#heldBytes -= length;
    };
    try {
      try {
        await this.#read(request, chunks);
      } catch (error) {
        release();
        throw error;
      } finally {
        await drain(request);
      }
      return await use(Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES));
    } finally {
      release();
    }
  }

  async #read(request: IncomingMessage, chunks: Uint8Array[]): Promise<void> {
    const source = decodeBody(request);
    let size = 0;
    try {
      // Destroying the request would close the connection before the response is sent.
      for await (const chunk of source.iterator({ destroyOnReturn: source !== request }) as AsyncIterable<Uint8Array>) {
        if (this.#heldBytes + chunk.length > MAX_HELD_BYTES) throw tooManyBytes();
        this.#heldBytes += chunk.length;
        chunks.push(chunk);
        size += chunk.length;
        if (size >= MAX_BODY_BYTES) return;
      }
    } catch (error) {
      // If the client is still connected, the error must come from decoding the body.
      throw request.errored || error instanceof ApiError ? error : undecodable(error);
    }
  }
}

/**
 * Reads and drops the rest of a body. Otherwise many clients miss the response: it would arrive while they still send.
 */
async function drain(request: IncomingMessage): Promise<void> {
  if (request.readableEnded || request.destroyed) return;
  request.resume();
  await finished(request);
}

function tooManyBytes(): ApiError {
  const sentence =
    'The bridge already holds as many bytes of other requests as it may. Send this request again when one of them is answered.';
  return new ApiError('rate_limit_exceeded', sentence, { retryAfter: 1 });
}
