import { ApiError, errorBody } from '../../shared/api-error.ts';
import { EventStreamParser } from '../../shared/http/event-stream-parser.ts';
import { withTimeout } from '../../shared/timeout.ts';
import type { Upstream } from '../../shared/upstreams/upstream.ts';
import { dataEvent } from '../encoders/server-sent-events.ts';
import { isRefusal, readUpstreamError } from './upstream-error.ts';
import { withSilenceTimeout } from './upstream-request.ts';

export interface UpstreamBodyOptions {
  readonly isStream: boolean;
  readonly path: string;
  readonly upstream: Upstream;
  /** Milliseconds between keep-alive texts until the upstream responds. */
  readonly interval: number;
}

/** Limit for the characters of one event, so that a server cannot exhaust the memory with a line that never ends. */
const MAX_EVENT_LENGTH = 16 * 1024 * 1024;

/**
 * Matches the last event of a complete stream. Some servers omit `[DONE]`; then a chunk with a finish reason is the
 * last.
 */
const END =
  /^(data: ?\[DONE\]|event: ?response\.(completed|failed|incomplete)|event: ?error|data: ?\{"error"|data:.*"finish_reason": ?")/m;

/**
 * Yields the response body of an upstream. For a stream, it yields only complete events, so that an error event can
 * follow after any of them.
 * @returns the error that was yielded as the end of the body; null if the response is complete.
 * @throws if a JSON document breaks off after its beginning was yielded.
 */
export async function* encodeUpstreamBody(
  upstreamResponse: Promise<Response>,
  { isStream, path, upstream, interval }: UpstreamBodyOptions,
): AsyncGenerator<string, ApiError | null> {
  const encodeError = (body: { readonly error: object }) => {
    if (!isStream) return JSON.stringify(body);
    if (path !== '/responses') return dataEvent(body);
    return `event: error\n${dataEvent({ type: 'error', ...body.error, ...body })}`;
  };
  let hasStarted = false;
  try {
    let response: Response | null = null;
    while ((response = await withTimeout(interval, upstreamResponse, null)) === null)
      yield isStream ? ': keep-alive\n\n' : '\n';
    if (isRefusal(response)) {
      const error = await readUpstreamError(response, upstream);
      yield encodeError({ error });
      return new ApiError('upstream_failed', String(error.message));
    }
    for await (const text of isStream ? events(response, upstream) : chunks(response, upstream)) {
      hasStarted = true;
      yield text;
    }
    if (!isStream && !hasStarted) throw cutOff(upstream);
    return null;
  } catch (thrown) {
    if (hasStarted && !isStream) throw thrown;
    const error = thrown instanceof ApiError ? thrown : cutOff(upstream, thrown);
    yield encodeError(errorBody(error));
    return error;
  }
}

/** Yields complete events. @throws ApiError `upstream_failed` if the stream ends without its last event. */
async function* events(response: Response, upstream: Upstream): AsyncGenerator<string> {
  const parser = new EventStreamParser();
  let hasEnded = false;
  for await (const text of chunks(response, upstream)) {
    const blocks = parser.push(text);
    if (parser.restLength > MAX_EVENT_LENGTH) throw eventTooLong(upstream);
    if (blocks.length === 0) continue;
    hasEnded ||= blocks.some((block) => END.test(block));
    yield blocks.map((block) => `${block}\n\n`).join('');
  }
  if (END.test(parser.rest)) yield `${parser.rest.trimEnd()}\n\n`;
  else if (!hasEnded) throw cutOff(upstream);
}

async function* chunks({ body }: Response, upstream: Upstream): AsyncGenerator<string> {
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

function eventTooLong({ name }: Upstream): ApiError {
  return new ApiError('upstream_failed', `An event of ${name} has more than ${MAX_EVENT_LENGTH} characters.`);
}

function cutOff({ name }: Upstream, cause?: unknown): ApiError {
  return new ApiError('upstream_failed', `The answer of ${name} broke off.`, { cause });
}
