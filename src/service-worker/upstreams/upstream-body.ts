import { ApiError, errorBody } from '../../shared/api-error.ts';
import { EventStreamParser } from '../../shared/http/event-stream-parser.ts';
import { withTimeout } from '../../shared/timeout.ts';
import type { Upstream } from '../../shared/upstreams/upstream.ts';
import { dataEvent } from '../encoders/server-sent-events.ts';
import { inTime } from './upstream-request.ts';
import { upstreamFailure } from './upstream-error.ts';

export interface UpstreamTextsOptions {
  readonly isStream: boolean;
  readonly path: string;
  readonly upstream: Upstream;
  /** Milliseconds after which a sign of life is sent while the upstream has not answered. */
  readonly interval: number;
}

/** In a stream, what says that it has come to its end: without, it was cut off. */
const END = /^(data: ?\[DONE\]|event: ?response\.(completed|failed|incomplete)|event: ?error|data: ?\{"error")/m;

/**
 * What an upstream answers, as it comes; of a stream whole events with line feeds, so that one that is cut off can end in
 * an error event.
 * @returns what it failed with, which has been told in the texts; null when it is whole.
 * @throws what a document that is sent already in part broke off with.
 */
export async function* upstreamTexts(
  head: Promise<Response>,
  { isStream, path, upstream, interval }: UpstreamTextsOptions,
): AsyncGenerator<string, ApiError | null> {
  const tell = (body: { readonly error: object }) => {
    if (!isStream) return JSON.stringify(body);
    if (path !== '/responses') return dataEvent(body);
    return `event: error\n${dataEvent({ type: 'error', ...body.error, ...body })}`;
  };
  let isBegun = false;
  try {
    let response: Response | null = null;
    while ((response = await withTimeout(interval, head, null)) === null) yield isStream ? ': keep-alive\n\n' : '\n';
    if (!response.ok) {
      const error = await upstreamFailure(response, upstream);
      yield tell({ error });
      return new ApiError('upstream_failed', String(error.message));
    }
    for await (const text of isStream ? events(response, upstream) : chunks(response, upstream)) {
      isBegun = true;
      yield text;
    }
    return null;
  } catch (thrown) {
    if (isBegun && !isStream) throw thrown;
    const error = thrown instanceof ApiError ? thrown : cutOff(upstream, thrown);
    yield tell(errorBody(error));
    return error;
  }
}

/** Whole events. @throws ApiError `upstream_failed` where the stream ends without its last one. */
async function* events(response: Response, upstream: Upstream): AsyncGenerator<string> {
  const parser = new EventStreamParser();
  let isWhole = false;
  for await (const text of chunks(response, upstream)) {
    const blocks = parser.push(text);
    if (blocks.length === 0) continue;
    isWhole ||= blocks.some((block) => END.test(block));
    yield blocks.map((block) => `${block}\n\n`).join('');
  }
  if (END.test(parser.rest)) yield `${parser.rest.trimEnd()}\n\n`;
  else if (!isWhole) throw cutOff(upstream);
}

async function* chunks({ body }: Response, upstream: Upstream): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  for (;;) {
    const read = reader && (await inTime(upstream, reader.read()));
    if (!read || read.done) return;
    yield decoder.decode(read.value, { stream: true });
  }
}

function cutOff({ name }: Upstream, cause?: unknown): ApiError {
  return new ApiError('upstream_failed', `The answer of ${name} broke off.`, { cause });
}
