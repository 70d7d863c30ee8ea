import { withAbort } from '../../../shared/timeout.ts';

/** Milliseconds without a byte after which a transfer has stalled. */
const MAX_SILENCE = 30_000;

/**
 * Wraps `fetch` so that it fails with a `TimeoutError` if the headers, or the next packet, do not arrive for 30
 * seconds. Browsers would wait forever.
 */
export function withStallTimeout(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const stalled = new AbortController();
    const signal = init?.signal ? AbortSignal.any([init.signal, stalled.signal]) : stalled.signal;

    async function heard<Sign>(sign: Promise<Sign>): Promise<Sign> {
      const timer = setTimeout(
        () => stalled.abort(new DOMException('The server sent nothing for too long.', 'TimeoutError')),
        MAX_SILENCE,
      );
      return withAbort(sign, signal).finally(() => clearTimeout(timer));
    }

    const response = await heard(fetch(input, { ...init, signal }));
    if (response.body === null) return response;
    const reader = response.body.getReader();
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        async pull(controller) {
          const { done, value } = await heard(reader.read());
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
    return new Response(body, response);
  };
}
