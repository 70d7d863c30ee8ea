import type { Upstream } from '../../shared/upstreams/upstream.ts';
import { withSilenceTimeout } from './upstream-request.ts';

/**
 * Limit for the characters of one event or error, so that a server cannot exhaust the memory with a line that never ends.
 */
export const MAX_LENGTH = 16 * 1024 * 1024;

/**
 * Yields the text of a response as it arrives. If the caller leaves the loop, the connection is closed.
 * @throws ApiError `upstream_timeout` if the upstream sends nothing for too long.
 */
export async function* upstreamTexts({ body }: Response, upstream: Upstream): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  try {
    for (;;) {
      const read = reader && (await withSilenceTimeout(upstream, reader.read()));
      if (!read || read.done) return;
      yield decoder.decode(read.value, { stream: true });
    }
  } finally {
    // Closes the connection if this is not the end of the body.
    void reader?.cancel().catch(() => {});
  }
}
