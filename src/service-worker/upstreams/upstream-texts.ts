import { withTimeout } from '../../shared/timeout.ts';
import type { Upstream } from '../../shared/upstreams/upstream.ts';
import { withSilenceTimeout } from './upstream-request.ts';

/**
 * Limit for the characters of one event or error, so that a server cannot exhaust the memory with a line that never ends.
 */
export const MAX_LENGTH = 16 * 1024 * 1024;

/** Milliseconds in which a server closes its connection after the last event, so that the browser can use it again. */
const CLOSING_TIME = 500;

/**
 * Yields the text of a response as it arrives. If the caller leaves the loop, the connection is closed.
 * @param isOver Whether nothing more is expected. Default: never.
 * @throws ApiError `upstream_timeout` if the upstream sends nothing for too long.
 */
export async function* upstreamTexts(
  { body }: Response,
  upstream: Upstream,
  isOver = () => false,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  try {
    for (;;) {
      const reading = reader?.read();
      const read =
        reading &&
        (await (isOver() ? withTimeout(CLOSING_TIME, reading, null) : withSilenceTimeout(upstream, reading)));
      if (!read || read.done) return;
      yield decoder.decode(read.value, { stream: true });
    }
  } finally {
    // Closes the connection if this is not the end of the body.
    void reader?.cancel().catch(() => {});
  }
}
